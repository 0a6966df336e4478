// Which metrics are channels. Whoever watches machines has thousands, of which a lab wants a few.

import { message } from '../language/message.ts';
import { isObject, MOST_LISTED, type ReadSetting, type SettingReaders, text } from './read-settings.ts';

export interface MetricSettings {
  /** Which metrics are channels. */
  metrics?: MetricRules;
  /** The label or attribute that names the device. */
  device_label?: string;
}

/** Metrics as they are called, `name` or `name{label="value"}`; or by metric the channel that it is. */
export type MetricRules = string[] | Record<string, string>;

export type FindLabel = (name: string) => string | undefined;

/** Few are looked through faster than they are put in order. */
const FEW_LABELS = 16;

/** By name; of one that comes twice the first counts. */
export function openLabels(namesAndValues: readonly string[]): FindLabel {
  if (namesAndValues.length <= 2 * FEW_LABELS)
    return (name) => {
      for (let at = 0; at < namesAndValues.length; at += 2)
        if (namesAndValues[at] === name) return namesAndValues[at + 1];
      return undefined;
    };
  const labels = new Map<string, string>();
  for (let at = namesAndValues.length - 2; at >= 0; at -= 2)
    labels.set(namesAndValues[at] as string, namesAndValues[at + 1] as string);
  return (name) => labels.get(name);
}

interface Rule {
  channel: string;
  labels: [name: string, value: string][];
}

export interface MetricFinder {
  isListed(metric: string): boolean;
  /** null: these labels are not listed. */
  findChannel(metric: string, label: FindLabel): string | null;
}

const METRIC = /^([^{}\s]+)\s*(?:\{(.*)\})?$/s;
const LABEL = /\s*([^\s=,"{}]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/gy;

/** null: it is no metric. */
function readMetric(text: string): { metric: string; labels: Rule['labels'] } | null {
  const [, metric, inside = ''] = METRIC.exec(text.trim()) ?? [];
  if (metric === undefined) return null;
  const labels: Rule['labels'] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', 2: value = '' } of inside.matchAll(LABEL)) {
    labels.push([name, value.replaceAll(/\\(.)/gs, '$1')]);
    end += whole.length;
  }
  return end === inside.length ? { metric, labels } : null;
}

export function openMetrics(rules: MetricRules): MetricFinder {
  const listed = new Map<string, Rule[]>();
  const pairs = Array.isArray(rules) ? rules.map((text) => [text, null] as const) : Object.entries(rules);
  for (const [text, channel] of pairs) {
    const read = readMetric(text);
    if (!read) continue;
    const { metric, labels } = read;
    const known = listed.get(metric) ?? [];
    listed.set(metric, known);
    known.push({ channel: channel ?? metric, labels });
  }
  // Those that ask for most come first.
  for (const known of listed.values()) known.sort((one, other) => other.labels.length - one.labels.length);
  return {
    isListed: (metric) => listed.has(metric),
    findChannel(metric, label) {
      const found = listed
        .get(metric)
        ?.find(({ labels }) => labels.every(([name, value]) => label(name) === value));
      return found?.channel ?? null;
    },
  };
}

/** Units that the name of a metric says, as Prometheus would have it. */
export function unitInName(metric: string): '°F' | 'K' | undefined {
  if (metric.endsWith('_fahrenheit')) return '°F';
  return metric.endsWith('_kelvin') ? 'K' : undefined;
}

const LONGEST_METRIC = 1_000;
const isMetric = (name: string): boolean => name.length <= LONGEST_METRIC && readMetric(name) !== null;
const metrics: ReadSetting = (value, path, faults) => {
  const names = Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : null;
  if (!names || names.length > MOST_LISTED)
    return faults.push({
      path,
      message: message('must be a list of metrics, or a mapping of metrics to channels'),
    });
  for (const name of names)
    if (typeof name !== 'string' || !isMetric(name))
      faults.push({
        path,
        message: ({ say }) =>
          say('{name} is no metric such as {example}', {
            name: JSON.stringify(name),
            example: 'temp or temp{probe="1"}',
          }),
      });
  if (isObject(value)) for (const [name, one] of Object.entries(value)) text(one, `${path}.${name}`, faults);
};

export const METRIC_SETTINGS: SettingReaders<MetricSettings> = { metrics, device_label: text };
