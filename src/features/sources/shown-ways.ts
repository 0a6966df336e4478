// How pages speak of each way in. A kind without a record here does not compile.
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { SOURCE_KINDS, type SourceKind } from '../../domain/ways-in/ways.ts';
import { connectMqtt } from './connect-mqtt.ts';
import type { Connecting, Place } from './connecting.ts';

interface ShownWay {
  label: string;
  /** Stands where settings are typed, while there are none. */
  example: string;
  connect(place: Place, language: Language): Connecting;
}

const EXAMPLE = `units: { temperature: °F }
invert: [contact]
split: { temp_channel1: "#1" }
ignore: [uptime]`;

const MAPPING_EXAMPLE = `mapping:
  each: /sensorMessages/*
  device: /sensorID
  time: { path: /messageDate, format: "yyyy-MM-dd HH:mm:ss" }
  values:
    temperature: { path: /dataValue, number: true, from: °F }`;

const TOPIC_EXAMPLE = `mapping:
  device: topic:1
  values:
    "topic:2": { path: "", number: true }`;

export const SHOWN_WAYS = {
  tocsin: {
    label: message('Own JSON: scripts and gateways of your own'),
    example: EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say('Handing in a reading looks like this:'),
      lines: `curl ${telemetry} \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"device":"0004a30b001c0530","values":{"temperature":-71.2}}'`,
    }),
  },
  influx: {
    label: message('InfluxDB line protocol: Telegraf'),
    example: EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say(
        'Put these lines into telegraf.conf. Each input needs a tag "device" that names the equipment; its fields become channels.',
      ),
      lines: `[[outputs.influxdb_v2]]
  urls = ["${telemetry}/influx"]
  token = "${secret}"
  organization = "-"
  bucket = "-"`,
    }),
  },
  chirpstack: {
    label: message('ChirpStack'),
    example: EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say(
        'In ChirpStack, open the application, then Integrations, HTTP: choose JSON as payload encoding, and enter this event endpoint and header.',
      ),
      lines: `Event endpoint URL: ${telemetry}/chirpstack
Header: Authorization
Value: Bearer ${secret}`,
    }),
  },
  tts: {
    label: message('The Things Stack'),
    example: EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say(
        'In the console of The Things Stack, open the application, then Webhooks, Add webhook, Custom webhook: JSON as format, this base URL and header, and a tick at "Uplink message".',
      ),
      lines: `Base URL: ${telemetry}/tts
Header: Authorization
Value: Bearer ${secret}`,
    }),
  },
  prometheus: {
    label: message('Prometheus remote write'),
    example: EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say(
        'Put these lines into prometheus.yml. The settings below list the metrics that are channels; until then those that come are named under what was refused.',
      ),
      lines: `remote_write:
  - url: ${telemetry}/prometheus
    authorization:
      credentials: ${secret}`,
    }),
  },
  otlp: {
    label: message('OpenTelemetry (OTLP over HTTP)'),
    example: EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say(
        'For programs with an SDK of OpenTelemetry, or for a Collector (otlphttp). Gauges and sums are channels of the device that the attribute device or device.id names.',
      ),
      lines: `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${telemetry}/otlp/v1/metrics
OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_METRICS_HEADERS=Authorization=Bearer%20${secret}`,
    }),
  },
  json: {
    label: message('Any JSON, by a mapping: Monnit and other clouds that push'),
    example: MAPPING_EXAMPLE,
    connect: ({ telemetry, secret }, { say }) => ({
      words: say(
        'Let the sender post its JSON here. Then come back: the last body that came stands below, and a mapping says what in it is a reading.',
      ),
      lines: `curl ${telemetry}/json \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"sensors":[{"id":"ULT-1","temp":-79.8}]}'`,
    }),
  },
  mqtt: {
    label: message('MQTT: Shelly, Zigbee2MQTT, ESPHome, gateways and brokers'),
    example: TOPIC_EXAMPLE,
    connect: connectMqtt,
  },
} satisfies Record<SourceKind, ShownWay>;

/** To choose among. */
export const listKinds = ({ say }: Language) =>
  SOURCE_KINDS.map((kind) => [kind, say(SHOWN_WAYS[kind].label)] as const);
