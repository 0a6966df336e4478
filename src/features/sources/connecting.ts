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

export interface Place {
  /** The address of our own JSON. */
  telemetry: string;
  secret: string;
  /** Where programs listen for MQTT, such as mqtts://0.0.0.0:8883. */
  listeners: readonly string[];
}

export const CONNECTING: Record<SourceKind, (place: Place) => Connecting> = {
  tocsin: ({ telemetry, secret }) => ({
    words: 'Handing in a reading looks like this:',
    lines: `curl ${telemetry} \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"device":"0004a30b001c0530","values":{"temperature":-71.2}}'`,
  }),
  influx: ({ telemetry, secret }) => ({
    words:
      'Put these lines into telegraf.conf. Each input needs a tag "device" that names the equipment; its fields become channels.',
    lines: `[[outputs.influxdb_v2]]
  urls = ["${telemetry}/influx"]
  token = "${secret}"
  organization = "-"
  bucket = "-"`,
  }),
  chirpstack: ({ telemetry, secret }) => ({
    words:
      'In ChirpStack, open the application, then Integrations, HTTP: choose JSON as payload encoding, and enter this event endpoint and header.',
    lines: `Event endpoint URL: ${telemetry}/chirpstack
Header: Authorization
Value: Bearer ${secret}`,
  }),
  tts: ({ telemetry, secret }) => ({
    words:
      'In the console of The Things Stack, open the application, then Webhooks, Add webhook, Custom webhook: JSON as format, this base URL and header, and a tick at "Uplink message".',
    lines: `Base URL: ${telemetry}/tts
Header: Authorization
Value: Bearer ${secret}`,
  }),
  prometheus: ({ telemetry, secret }) => ({
    words:
      'Put these lines into prometheus.yml. The settings below list the metrics that are channels; until then those that come are named under what was refused.',
    lines: `remote_write:
  - url: ${telemetry}/prometheus
    authorization:
      credentials: ${secret}`,
  }),
  otlp: ({ telemetry, secret }) => ({
    words:
      'For programs with an SDK of OpenTelemetry, or for a Collector (otlphttp). Gauges and sums are channels of the device that the attribute device or device.id names.',
    lines: `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${telemetry}/otlp/v1/metrics
OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_METRICS_HEADERS=Authorization=Bearer%20${secret}`,
  }),
  json: ({ telemetry, secret }) => ({
    words:
      'Let the sender post its JSON here. Then come back: the last body that came stands below, and a mapping says what in it is a reading.',
    lines: `curl ${telemetry}/json \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"sensors":[{"id":"ULT-1","temp":-79.8}]}'`,
  }),
  mqtt: (place) => {
    const listener = findListener(place);
    return listener ? connectMqtt(place, listener) : settingsForMqtt(place);
  },
};

interface Listener {
  host: string;
  port: string;
  isSecure: boolean;
  /** Others than this machine do not reach it. */
  isAtHome: boolean;
}

/** With TLS, if there is one. */
function findListener({ telemetry, listeners }: Place): Listener | null {
  const page = bare(new URL(telemetry).hostname);
  const all = listeners.map((text): Listener => {
    const { protocol, hostname, port } = new URL(text);
    const isSecure = protocol === 'mqtts:';
    const bound = bare(hostname);
    const isAtHome = bound === '::1' || bound.startsWith('127.');
    // A certificate is made out to a name.
    const isOwnAddress = isAtHome || (!isSecure && !EVERYWHERE.includes(bound));
    return { host: isOwnAddress ? bound : page, port, isSecure, isAtHome };
  });
  return all.find(({ isSecure }) => isSecure) ?? all[0] ?? null;
}

const EVERYWHERE = ['0.0.0.0', '::'];
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const FOLLOWING =
  'A broker that you have can be followed instead: whoever runs the program puts its address and this secret into TOCSIN_MQTT_BROKERS.';

const connectMqtt = ({ secret }: Place, { host, port, isSecure, isAtHome }: Listener): Connecting => ({
  words: [
    `A device connects like this, ${isSecure ? 'over TLS' : 'without TLS'}, with any user name.`,
    ...(isAtHome
      ? [`Only this machine reaches ${host}: TOCSIN_MQTT_HOST lets others in, 0.0.0.0 for all.`]
      : []),
    FOLLOWING,
  ].join(' '),
  lines: `mosquitto_pub -h ${host} -p ${port} ${isSecure ? '--capath /etc/ssl/certs ' : ''}-q 1 \\
  -u tocsin -P "${secret}" -t tocsin/0004a30b001c0530 -m '{"temperature":-71.2}'`,
});

const settingsForMqtt = ({ secret }: Place): Connecting => ({
  words:
    'No program listens for MQTT yet. Whoever runs it sets one of these and starts it anew; then the command for a device stands here. The first is with TLS and needs TOCSIN_TLS_CERT and TOCSIN_TLS_KEY, the second is for a network that you trust, the third follows a broker that you have.',
  lines: `TOCSIN_MQTTS_PORT=8883
TOCSIN_MQTT_PORT=1883
TOCSIN_MQTT_BROKERS=mqtts://USER:PASSWORD@broker.lab.example?secret=${secret}`,
});
