// Prometheus remote write, versions 1.0 and 2.0: time series with labels, of which the settings list those that are channels.

import type { Instant } from '../instant.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import { MOST_READINGS, type PostFault } from '../readings/telemetry.ts';
import { type Gathering, openGathering, type WayPost } from './gather-readings.ts';
import {
  type FindLabel,
  METRIC_SETTINGS,
  type MetricFinder,
  type MetricSettings,
  openLabels,
  openMetrics,
  unitInName,
} from './metric-rules.ts';
import {
  addUnsigned,
  isPauseDue,
  nextField,
  openInner,
  openMessage,
  openPart,
  ProtobufFault,
  type ProtobufMessage,
  readDouble,
  readFixed64,
  readSigned,
  readText,
} from './read-protobuf.ts';
import type { WayOfOthers, WayRules } from './way-in.ts';

export type RemoteWriteVersion = 1 | 2;

const DEVICE_LABELS = ['device', 'dev_eui', 'instance'];
const METRIC_LABEL = '__name__';
/** Says that a series has ended; other values that are no numbers are faults. */
const STALE_MARKER = 0x7ff0000000000002n;
const MOST_NOTES = 50;
/** Names and values. */
const MOST_LABELS = 2_000;
/** So many are taken in one go. */
const PIECE_SAMPLES = 50;

/** By version: the fields of a request, and those of a series that hold what we do not take. */
const FIELDS = {
  1: { symbols: 0, series: 1, exemplars: 3, histograms: 4 },
  2: { symbols: 4, series: 5, exemplars: 4, histograms: 3 },
};
const [LABELS, SAMPLES] = [1, 2];

interface PrometheusAddress {
  version: RemoteWriteVersion;
}

export const prometheus: WayOfOthers<MetricSettings, PrometheusAddress> = {
  settings: METRIC_SETTINGS,
  isRadio: false,
  read: (body, address, rules) => readRemoteWrite(body, { ...address, ...rules }),
  tryOut: null,
};

/** Stops now and then, so that others can be answered. The index of an entry is that of its series. */
export function* readRemoteWrite(
  body: Uint8Array,
  { version, settings, receivedAt }: PrometheusAddress & WayRules<MetricSettings>,
): Generator<void, WayPost | PostFault> {
  const gathering = openGathering(settings, receivedAt, 'device');
  const fields = FIELDS[version];
  const counted = { samples: 0, histograms: 0, exemplars: 0 };
  const unlisted = new Set<string>();
  gathering.post.counted = counted;
  const readSeries = openSeries(gathering, { settings, unlisted });
  /** Used again for each. */
  const [seriesMessage, partMessage] = [openMessage(body), openMessage(body)];
  let series = 0;
  let labelsBefore: readonly string[] = [];
  try {
    const symbols = yield* readSymbols(body, fields.symbols);
    if (symbols === null) return 'too_many_readings';
    const request = openMessage(body);
    while (nextField(request)) {
      if (isPauseDue(request)) yield;
      if (request.field !== fields.series) continue;
      const taken = yield* takeSeries(openInner(request, seriesMessage), symbols, series);
      if (taken) {
        counted.samples += taken.samples;
        counted.histograms += taken.histograms;
        counted.exemplars += taken.exemplars;
      }
      series += 1;
      const surplus = gathering.findSurplus();
      if (surplus) return surplus;
    }
  } catch (error) {
    if (!(error instanceof ProtobufFault)) throw error;
    gathering.refuse(series, `the request ${error.message}`);
  }
  gathering.post.notes = [...unlisted].map((metric) =>
    fault(message('{metric} is not among the metrics of the settings'), { metric }),
  );
  return gathering.post;

  /** A series is taken whole or refused. */
  function* takeSeries(
    message: ProtobufMessage,
    symbols: Symbols,
    index: number,
  ): Generator<void, Counts | null> {
    try {
      const parts = yield* readParts(message, partMessage, { symbols, before: labelsBefore, fields });
      labelsBefore = parts.labels;
      return yield* readSeries(parts, index);
    } catch (error) {
      if (!(error instanceof ProtobufFault)) throw error;
      gathering.refuse(index, `the series ${error.message}`);
      return null;
    }
  }
}

/** Version 2 writes each text once. One that cannot be read spoils the series that need it, and no other. */
type Symbols = (string | null)[];

function* readSymbols(body: Uint8Array, field: number): Generator<void, Symbols | null> {
  const symbols: Symbols = [];
  if (field === 0) return symbols;
  const request = openMessage(body);
  while (nextField(request)) {
    if (isPauseDue(request)) yield;
    if (request.field !== field) continue;
    if (symbols.length >= MOST_READINGS) return null;
    try {
      symbols.push(readText(request));
    } catch {
      symbols.push(null);
    }
  }
  return symbols;
}

interface Counts {
  samples: number;
  histograms: number;
  exemplars: number;
}

interface Series {
  /** Names and values in turn. */
  labels: string[];
  samples: { value: number; at: Instant; isMarker: boolean }[];
  histograms: number;
  exemplars: number;
}

interface PartRules {
  symbols: Symbols;
  /** Labels of the series before. */
  before: readonly string[];
  fields: { symbols: number; exemplars: number; histograms: number };
}

function* readParts(
  message: ProtobufMessage,
  used: ProtobufMessage,
  { symbols, before, fields }: PartRules,
): Generator<void, Series> {
  const series: Series = { labels: [], samples: [], histograms: 0, exemplars: 0 };
  const refs: number[] = [];
  message.passed = 0;
  while (nextField(message)) {
    if (isPauseDue(message)) yield;
    if (series.samples.length > MOST_READINGS) throw new ProtobufFault('has too many samples');
    if (series.labels.length + refs.length > MOST_LABELS) throw new ProtobufFault('has too many labels');
    if (message.field === LABELS && fields.symbols === 0)
      readLabel(openPart(message, used), series.labels, before);
    else if (message.field === LABELS) addUnsigned(message, refs);
    else if (message.field === SAMPLES) series.samples.push(readSample(openPart(message, used)));
    else if (message.field === fields.histograms) series.histograms += 1;
    else if (message.field === fields.exemplars) series.exemplars += 1;
  }
  if (refs.length % 2 === 1) throw new ProtobufFault('has a label without a value');
  for (const ref of refs) {
    const symbol = symbols[ref];
    if (symbol === undefined) throw new ProtobufFault('refers to a symbol that is not there');
    if (symbol === null) throw new ProtobufFault('has a text that is not UTF-8');
    series.labels.push(symbol);
  }
  return series;
}

/** Most labels are those of the series before. */
function readLabel(label: ProtobufMessage, labels: string[], before: readonly string[]): void {
  let name = '';
  let value = '';
  while (nextField(label)) {
    if (label.field === 1) name = readText(label, before[labels.length]);
    else if (label.field === 2) value = readText(label, before[labels.length + 1]);
  }
  labels.push(name, value);
}

function readSample(sample: ProtobufMessage): Series['samples'][number] {
  let value = 0;
  let at = 0;
  let isMarker = false;
  while (nextField(sample)) {
    if (sample.field === 1) {
      value = readDouble(sample);
      isMarker = Number.isNaN(value) && readFixed64(sample) === STALE_MARKER;
    } else if (sample.field === 2) at = readSigned(sample);
  }
  return { value, at, isMarker };
}

function findDevice(names: readonly string[], find: FindLabel): string | undefined {
  for (const name of names) {
    const device = find(name);
    if (device !== undefined && device !== '') return device;
  }
  return undefined;
}

interface SeriesRules {
  settings: MetricSettings;
  /** Metrics that came while the settings list none yet. */
  unlisted: Set<string>;
}

/** Answers with how much of it was taken, or is none of ours; null: it was refused. */
function openSeries(gathering: Gathering, { settings, unlisted }: SeriesRules) {
  const metrics: MetricFinder | null = settings.metrics ? openMetrics(settings.metrics) : null;
  const deviceLabels = settings.device_label === undefined ? DEVICE_LABELS : [settings.device_label];
  return function* (series: Series, index: number): Generator<void, Counts | null> {
    const find = openLabels(series.labels);
    const counts = {
      samples: series.samples.length,
      histograms: series.histograms,
      exemplars: series.exemplars,
    };
    const metric = find(METRIC_LABEL);
    if (!metric) {
      gathering.refuse(index, fault(message('the series has no label {label}'), { label: METRIC_LABEL }));
      return null;
    }
    if (!metrics && unlisted.size < MOST_NOTES) unlisted.add(metric);
    if (!metrics?.isListed(metric)) return counts;
    const channel = metrics.findChannel(metric, find);
    if (channel === null) return counts;
    const device = findDevice(deviceLabels, find);
    if (device === undefined) {
      gathering.refuse(
        index,
        fault(message('{metric} has no label {labels} that names the device'), {
          metric,
          labels: deviceLabels.join(', '),
        }),
      );
      return null;
    }
    for (const [place, { value, at, isMarker }] of series.samples.entries()) {
      if (!isMarker && gathering.begin({ index, device, deviceAt: at, networkAt: null }))
        gathering.add(channel, value, unitInName(metric));
      if (place % PIECE_SAMPLES < PIECE_SAMPLES - 1) continue;
      if (gathering.findSurplus()) break;
      yield;
    }
    return counts;
  };
}
