// ExportMetricsServiceRequest in protocol buffers; the numbers are those of its .proto files.
import { MOST_ENTRIES } from '../readings/telemetry.ts';
import {
  type Attributes,
  type Metric,
  type MetricPoint,
  MOST_ATTRIBUTES,
  NANOSECONDS_PER_MS,
  NO_RECORDED_VALUE,
  type OtlpPieces,
} from './otlp-metric.ts';
import {
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
  readSignedFixed64,
  readText,
  readTruth,
  readUnsigned,
} from './read-protobuf.ts';

const [GAUGE, SUM, OTHERS] = [5, 7, [9, 10, 11]];

/** A metric that cannot be read costs no other; a request that is cut off throws. */
export function* readOtlpProtobuf(body: Uint8Array): OtlpPieces {
  const request = openMessage(body);
  while (nextField(request)) {
    if (isPauseDue(request)) yield null;
    if (request.field !== 1) continue;
    const metrics = openInner(request);
    if (metrics.at === metrics.end) continue;
    const resource = yield* readResource(openInner(request));
    while (nextField(metrics)) {
      if (isPauseDue(metrics)) yield null;
      if (metrics.field === 2) yield* readScope(openInner(metrics), resource);
    }
  }
}

/** It may come after the metrics. */
function* readResource(message: ProtobufMessage): Generator<null, Attributes> {
  const attributes: Attributes = [];
  while (nextField(message)) {
    if (isPauseDue(message)) yield null;
    if (message.field !== 1) continue;
    const resource = openPart(message);
    while (nextField(resource)) if (resource.field === 1) addAttribute(openInner(resource), attributes);
  }
  return attributes;
}

function* readScope(scope: ProtobufMessage, resource: Attributes): OtlpPieces {
  while (nextField(scope)) {
    if (isPauseDue(scope)) yield null;
    if (scope.field !== 2) continue;
    try {
      yield yield* readMetric(openInner(scope), resource);
    } catch (error) {
      if (!(error instanceof ProtobufFault)) throw error;
      yield { fault: `a metric ${error.message}` };
    }
  }
}

function* readMetric(message: ProtobufMessage, resource: Attributes): Generator<null, Metric> {
  const metric: Metric = { name: '', unit: '', resource, strange: 0, points: [] };
  while (nextField(message)) {
    if (isPauseDue(message)) yield null;
    if (message.field === 1) metric.name = readText(message);
    else if (message.field === 3) metric.unit = readText(message);
    else if (message.field === GAUGE || message.field === SUM) {
      const data = openInner(message);
      while (nextField(data)) {
        if (isPauseDue(data)) yield null;
        // Those beyond what a post may hold are too many, whatever they are.
        if (data.field === 1 && metric.points.length <= MOST_ENTRIES)
          metric.points.push(readPoint(openPart(data)));
      }
    } else if (OTHERS.includes(message.field)) {
      const data = openInner(message);
      while (nextField(data)) {
        if (isPauseDue(data)) yield null;
        if (data.field === 1) metric.strange += 1;
      }
    }
  }
  return metric;
}

function readPoint(message: ProtobufMessage): MetricPoint {
  const point: MetricPoint = { attributes: [], at: 0, value: null };
  let isWithout = false;
  while (nextField(message)) {
    if (message.field === 7) addAttribute(openInner(message), point.attributes);
    else if (message.field === 3) point.at = Number(readFixed64(message) / NANOSECONDS_PER_MS);
    else if (message.field === 4) point.value = readDouble(message);
    else if (message.field === 6) point.value = readSignedFixed64(message);
    else if (message.field === 8) isWithout = (readUnsigned(message) & NO_RECORDED_VALUE) === 1;
  }
  if (isWithout) point.value = null;
  return point;
}

function addAttribute(pair: ProtobufMessage, attributes: Attributes): void {
  if (attributes.length >= MOST_ATTRIBUTES) throw new ProtobufFault('has too many attributes');
  let [key, value] = ['', ''];
  while (nextField(pair)) {
    if (pair.field === 1) key = readText(pair);
    else if (pair.field === 2) value = readValue(openInner(pair));
  }
  attributes.push(key, value);
}

/** Lists and the like name nothing. */
function readValue(any: ProtobufMessage): string {
  let value = '';
  while (nextField(any)) {
    if (any.field === 1) value = readText(any);
    else if (any.field === 2) value = String(readTruth(any));
    else if (any.field === 3) value = String(readSigned(any));
    else if (any.field === 4) value = String(readDouble(any));
  }
  return value;
}
