// Metrics of OpenTelemetry, as OTLP over HTTP carries them, in protocol buffers or in JSON: gauges and sums.
import type { Instant } from '../judging/judge.ts';
import type { PostFault } from '../readings/telemetry.ts';
import { type Gathering, openGathering, type WayPost } from './gather-readings.ts';
import { type FindLabel, openMetrics, unitInName } from './metric-rules.ts';
import type { Attributes, Metric } from './otlp-metric.ts';
import { readOtlpJson } from './read-otlp-json.ts';
import { readOtlpProtobuf } from './read-otlp-protobuf.ts';
import { ProtobufFault } from './read-protobuf.ts';
import type { SourceSettings } from './source-settings.ts';
import type { Unit } from './units.ts';

export type OtlpEncoding = 'protobuf' | 'json';

const DEVICE_ATTRIBUTES = ['device', 'device.id', 'host.name', 'service.name'];
const UNITS: Record<string, Unit> = { Cel: '°C', '[degF]': '°F', K: 'K' };
const PIECE_METRICS = 200;

interface Rules {
  encoding: OtlpEncoding;
  settings: SourceSettings;
  receivedAt: Instant;
}

/** Stops after each piece, so that others can be answered. Each refusal is one of a point. */
export function* readOtlp(
  body: Uint8Array,
  { encoding, settings, receivedAt }: Rules,
): Generator<void, WayPost | PostFault | 'unreadable'> {
  const gathering = openGathering(settings, receivedAt, 'device');
  const take = openTaking(gathering, settings);
  let index = 0;
  try {
    for (const metric of encoding === 'json' ? readOtlpJson(body) : readOtlpProtobuf(body)) {
      if ('fault' in metric) gathering.refuse(index, metric.fault);
      else take(metric, index);
      index += 1;
      const surplus = gathering.findSurplus();
      if (surplus) return surplus;
      if (index % PIECE_METRICS === 0) yield;
    }
  } catch (error) {
    if (error instanceof ProtobufFault || error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
  return gathering.post;
}

function openTaking(gathering: Gathering, settings: SourceSettings) {
  const metrics = settings.metrics ? openMetrics(settings.metrics) : null;
  const naming = settings.device_label === undefined ? DEVICE_ATTRIBUTES : [settings.device_label];
  return ({ name, unit, resource, strange, points }: Metric, index: number): void => {
    if (name === '') gathering.refuse(index, 'a metric has no name');
    if (name === '' || (metrics && !metrics.isListed(name))) return;
    for (let point = 0; point < strange && !gathering.findSurplus(); point += 1)
      gathering.refuse(index, `${name} is neither gauge nor sum`);
    for (const { attributes, at, value } of points) {
      if (value === null || gathering.findSurplus()) continue;
      const find: FindLabel = (label) => findAttribute(attributes, label) ?? findAttribute(resource, label);
      const channel = metrics ? metrics.findChannel(name, find) : name;
      if (channel === null) continue;
      const device = naming.map(find).find((found) => found !== undefined && found !== '');
      if (device === undefined)
        gathering.refuse(index, `${name} has no attribute ${naming.join(', ')} that names the device`);
      else if (gathering.begin({ index, device, deviceAt: at, networkAt: null }))
        gathering.add(channel, value, UNITS[unit] ?? unitInName(name) ?? unit);
    }
  };
}

function findAttribute(attributes: Attributes, name: string): string | undefined {
  for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1];
  return undefined;
}
