// ExportMetricsServiceRequest in JSON: names in camelCase, whole numbers of 64 bits as text.
import {
  type Attributes,
  type BadMetric,
  type Metric,
  NANOSECONDS_PER_MS,
  NO_RECORDED_VALUE,
  type Point,
} from './otlp-metric.ts';
import { type JsonObject, objectAt } from './webhook-body.ts';

const NOT_FINITE: Record<string, number> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
const OTHERS = ['histogram', 'exponentialHistogram', 'summary'];
const UTF8 = new TextDecoder('utf-8');

/** What is no JSON throws. */
export function* readOtlpJson(body: Uint8Array): Generator<Metric | BadMetric> {
  const { resourceMetrics } = objectAt(JSON.parse(UTF8.decode(body)));
  for (const one of listAt(resourceMetrics)) {
    const { resource, scopeMetrics } = objectAt(one);
    const attributes = readAttributes(objectAt(resource).attributes);
    for (const scope of listAt(scopeMetrics))
      for (const metric of listAt(objectAt(scope).metrics)) yield readMetric(objectAt(metric), attributes);
  }
}

const listAt = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textAt = (value: unknown): string => (typeof value === 'string' ? value : '');

function readMetric(metric: JsonObject, resource: Attributes): Metric | BadMetric {
  const pointsOf = (kind: string) => listAt(objectAt(metric[kind]).dataPoints);
  try {
    return {
      name: textAt(metric.name),
      unit: textAt(metric.unit),
      resource,
      strange: OTHERS.reduce((sum, kind) => sum + pointsOf(kind).length, 0),
      points: [...pointsOf('gauge'), ...pointsOf('sum')].map((point) => readPoint(objectAt(point))),
    };
  } catch {
    return { fault: 'a metric has a number that is none' };
  }
}

function readPoint({ attributes, timeUnixNano, asDouble, asInt, flags }: JsonObject): Point {
  const isWithout = (Number(flags ?? 0) & NO_RECORDED_VALUE) === 1;
  const sent = asDouble ?? asInt;
  return {
    attributes: readAttributes(attributes),
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

function readAttributes(value: unknown): Attributes {
  return listAt(value).flatMap((pair) => {
    const { key, value } = objectAt(pair);
    const { stringValue, boolValue, intValue, doubleValue } = objectAt(value);
    const found = stringValue ?? boolValue ?? intValue ?? doubleValue ?? '';
    return [textAt(key), typeof found === 'object' ? '' : String(found)];
  });
}
