// Metrics of OpenTelemetry, as OTLP over HTTP carries them, in protocol buffers or in JSON: gauges and sums.

import { parseInPieces } from '../json/parse-in-pieces.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import type { PostFault } from '../readings/telemetry.ts';
import { type Gathering, openGathering, type WayPost } from './gather-readings.ts';
import {
  type FindLabel,
  METRIC_SETTINGS,
  type MetricSettings,
  openLabels,
  openMetrics,
  unitInName,
} from './metric-rules.ts';
import type { Attributes, Metric } from './otlp-metric.ts';
import { readOtlpJson } from './read-otlp-json.ts';
import { readOtlpProtobuf } from './read-otlp-protobuf.ts';
import { ProtobufFault } from './read-protobuf.ts';
import type { Unit } from './units.ts';
import type { WayOfOthers, WayRules } from './way-in.ts';

export type OtlpEncoding = 'protobuf' | 'json';

const DEVICE_ATTRIBUTES = ['device', 'device.id', 'host.name', 'service.name'];
const UNITS: Record<string, Unit> = { Cel: '°C', '[degF]': '°F', K: 'K' };

interface OtlpAddress {
  encoding: OtlpEncoding;
}

export const otlp: WayOfOthers<MetricSettings, OtlpAddress> = {
  settings: METRIC_SETTINGS,
  isRadio: false,
  read: (body, address, rules) => readOtlp(body, { ...address, ...rules }),
  tryOut: null,
};

/** Stops after each point, so that others can be answered. Each refusal is one of a point. */
export function* readOtlp(
  body: Uint8Array,
  { encoding, settings, receivedAt }: OtlpAddress & WayRules<MetricSettings>,
): Generator<void, WayPost | PostFault | 'unreadable'> {
  const gathering = openGathering(settings, receivedAt, 'device');
  const take = openTaking(gathering, settings);
  let index = 0;
  try {
    const parsed = encoding === 'json' ? yield* parseInPieces(body) : null;
    if (parsed && !parsed.ok) return 'unreadable';
    for (const metric of parsed ? readOtlpJson(parsed.value) : readOtlpProtobuf(body)) {
      yield;
      if (metric === null) continue;
      if ('fault' in metric) gathering.refuse(index, metric.fault);
      else yield* take(metric, index);
      index += 1;
      const surplus = gathering.findSurplus();
      if (surplus) return surplus;
    }
  } catch (error) {
    if (error instanceof ProtobufFault) return 'unreadable';
    throw error;
  }
  return gathering.post;
}

function openTaking(gathering: Gathering, settings: MetricSettings) {
  const metrics = settings.metrics ? openMetrics(settings.metrics) : null;
  const naming = settings.device_label === undefined ? DEVICE_ATTRIBUTES : [settings.device_label];
  /** Many metrics were measured on the same. */
  let resourceBefore: Attributes | null = null;
  let findOfResource: FindLabel = () => undefined;
  return function* ({ name, unit, resource, strange, points }: Metric, index: number): Generator<void, void> {
    if (name === '') gathering.refuse(index, fault(message('a metric has no name')));
    if (name === '' || (metrics && !metrics.isListed(name))) return;
    if (resource !== resourceBefore) findOfResource = openLabels(resource);
    resourceBefore = resource;
    for (let point = 0; point < strange && !gathering.findSurplus(); point += 1) {
      gathering.refuse(index, fault(message('{metric} is neither gauge nor sum'), { metric: name }));
      yield;
    }
    for (const { attributes, at, value } of points) {
      yield;
      if (gathering.findSurplus()) return;
      if (value === null) continue;
      const findOfPoint = openLabels(attributes);
      const find: FindLabel = (label) => findOfPoint(label) ?? findOfResource(label);
      const channel = metrics ? metrics.findChannel(name, find) : name;
      if (channel === null) continue;
      const device = naming.map(find).find((found) => found !== undefined && found !== '');
      if (device === undefined)
        gathering.refuse(
          index,
          fault(message('{metric} has no attribute {attributes} that names the device'), {
            metric: name,
            attributes: naming.join(', '),
          }),
        );
      else if (gathering.begin({ index, device, deviceAt: at, networkAt: null }))
        gathering.add(channel, value, UNITS[unit] ?? unitInName(name) ?? unit);
    }
  };
}
