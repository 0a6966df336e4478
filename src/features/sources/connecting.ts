// How each kind of source is told where to send, ready to be copied.
import type { SourceKind } from '../../domain/ways-in/source-settings.ts';

export const KIND_WORDS: Record<SourceKind, string> = {
  tocsin: 'Own JSON: scripts and gateways of your own',
  influx: 'InfluxDB line protocol: Telegraf',
  chirpstack: 'ChirpStack',
  tts: 'The Things Stack',
  prometheus: 'Prometheus remote write',
  otlp: 'OpenTelemetry (OTLP over HTTP)',
  json: 'Any JSON, by a mapping: Monnit and other clouds that push',
  mqtt: 'MQTT: Shelly, Zigbee2MQTT, ESPHome, gateways and brokers',
};

export interface Connecting {
  /** What to do with the lines. */
  words: string;
  lines: string;
}

/** `telemetry` is the address of our own JSON. */
export const CONNECTING: Record<SourceKind, (telemetry: string, secret: string) => Connecting> = {
  tocsin: (telemetry, secret) => ({
    words: 'Handing in a reading looks like this:',
    lines: `curl ${telemetry} \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"device":"0004a30b001c0530","values":{"temperature":-71.2}}'`,
  }),
  influx: (telemetry, secret) => ({
    words:
      'Put these lines into telegraf.conf. Each input needs a tag "device" that names the equipment; its fields become channels.',
    lines: `[[outputs.influxdb_v2]]
  urls = ["${telemetry}/influx"]
  token = "${secret}"
  organization = "-"
  bucket = "-"`,
  }),
  chirpstack: (telemetry, secret) => ({
    words:
      'In ChirpStack, open the application, then Integrations, HTTP: choose JSON as payload encoding, and enter this event endpoint and header.',
    lines: `Event endpoint URL: ${telemetry}/chirpstack
Header: Authorization
Value: Bearer ${secret}`,
  }),
  tts: (telemetry, secret) => ({
    words:
      'In the console of The Things Stack, open the application, then Webhooks, Add webhook, Custom webhook: JSON as format, this base URL and header, and a tick at "Uplink message".',
    lines: `Base URL: ${telemetry}/tts
Header: Authorization
Value: Bearer ${secret}`,
  }),
  prometheus: (telemetry, secret) => ({
    words:
      'Put these lines into prometheus.yml. The settings below list the metrics that are channels; until then those that come are named under what was refused.',
    lines: `remote_write:
  - url: ${telemetry}/prometheus
    authorization:
      credentials: ${secret}`,
  }),
  otlp: (telemetry, secret) => ({
    words:
      'For programs with an SDK of OpenTelemetry, or for a Collector (otlphttp). Gauges and sums are channels of the device that the attribute device or device.id names.',
    lines: `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${telemetry}/otlp/v1/metrics
OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_METRICS_HEADERS=Authorization=Bearer%20${secret}`,
  }),
  json: (telemetry, secret) => ({
    words:
      'Let the sender post its JSON here. Then come back: the last body that came stands below, and a mapping says what in it is a reading.',
    lines: `curl ${telemetry}/json \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"sensors":[{"id":"ULT-1","temp":-79.8}]}'`,
  }),
  mqtt: (telemetry, secret) => ({
    words:
      'Where the program listens for MQTT (TOCSIN_MQTTS_PORT), a device connects like this, with any user name. A broker that you have can be followed instead: whoever runs the program puts its address and this secret into TOCSIN_MQTT_BROKERS.',
    lines: `mosquitto_pub -h ${new URL(telemetry).hostname} -p 8883 --capath /etc/ssl/certs -q 1 \\
  -u tocsin -P "${secret}" -t tocsin/0004a30b001c0530 -m '{"temperature":-71.2}'`,
  }),
};
