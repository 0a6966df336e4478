// ExportMetricsServiceRequest in JSON: names in camelCase, whole numbers of 64 bits as text.
import { MOST_ENTRIES } from '../readings/telemetry.ts';
import {
  type Attributes,
  type BadMetric,
  type Metric,
  type MetricPoint,
  MOST_ATTRIBUTES,
  NANOSECONDS_PER_MS,
  NO_RECORDED_VALUE,
  type OtlpPieces,
} from './otlp-metric.ts';
import { type JsonObject, objectAt } from './webhook-body.ts';

const NOT_FINITE: Record<string, number> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
const OTHERS = ['histogram', 'exponentialHistogram', 'summary'];

export function* readOtlpJson(request: unknown): OtlpPieces {
  for (const one of listAt(objectAt(request).resourceMetrics)) {
    yield null;
    const { resource, scopeMetrics } = objectAt(one);
    const attributes = readAttributes(objectAt(resource).attributes);
    for (const scope of listAt(scopeMetrics)) {
      yield null;
      for (const metric of listAt(objectAt(scope).metrics))
        yield attributes === null ? TOO_MANY_ATTRIBUTES : yield* readMetric(objectAt(metric), attributes);
    }
  }
}

const TOO_MANY_ATTRIBUTES: BadMetric = { fault: 'a metric has too many attributes' };

const listAt = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textAt = (value: unknown): string => (typeof value === 'string' ? value : '');

function* readMetric(metric: JsonObject, resource: Attributes): Generator<null, Metric | BadMetric> {
  const pointsOf = (kind: string) => listAt(objectAt(metric[kind]).dataPoints);
  const points: MetricPoint[] = [];
  try {
    // Those beyond what a post may hold are too many, whatever they are.
    for (const kind of ['gauge', 'sum'])
      for (const point of pointsOf(kind).slice(0, MOST_ENTRIES + 1)) {
        yield null;
        const read = readPoint(objectAt(point));
        if (read === null) return TOO_MANY_ATTRIBUTES;
        points.push(read);
      }
  } catch {
    return { fault: 'a metric has a number that is none' };
  }
  return {
    name: textAt(metric.name),
    unit: textAt(metric.unit),
    resource,
    strange: OTHERS.reduce((sum, kind) => sum + pointsOf(kind).length, 0),
    points,
  };
}

/** null: it has too many attributes. */
function readPoint({ attributes, timeUnixNano, asDouble, asInt, flags }: JsonObject): MetricPoint | null {
  const named = readAttributes(attributes);
  if (named === null) return null;
  const isWithout = (Number(flags ?? 0) & NO_RECORDED_VALUE) === 1;
  const sent = asDouble ?? asInt;
  return {
    attributes: named,
    at: Number(BigInt(wholeAt(timeUnixNano)) / NANOSECONDS_PER_MS),
    value: isWithout || sent === undefined || sent === null ? null : readNumber(sent),
  };
}

const wholeAt = (value: unknown): string | number =>
  typeof value === 'string' || typeof value === 'number' ? value : 0;

function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = textAt(value).trim();
  if (Object.hasOwn(NOT_FINITE, text)) return NOT_FINITE[text] as number;
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) throw new SyntaxError();
  return number;
}

/** null: there are too many. */
function readAttributes(value: unknown): Attributes | null {
  const pairs = listAt(value);
  if (2 * pairs.length > MOST_ATTRIBUTES) return null;
  return pairs.flatMap((pair) => {
    const { key, value } = objectAt(pair);
    const { stringValue, boolValue, intValue, doubleValue } = objectAt(value);
    const found = stringValue ?? boolValue ?? intValue ?? doubleValue ?? '';
    return [textAt(key), typeof found === 'object' ? '' : String(found)];
  });
}
