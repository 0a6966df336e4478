// How each kind of source is told where to send, ready to be copied.
import type { SourceKind } from '../../domain/ways-in/source-settings.ts';

export const KIND_WORDS: Record<SourceKind, string> = {
  tocsin: 'Own JSON: scripts and gateways of your own',
  influx: 'InfluxDB line protocol: Telegraf',
  chirpstack: 'ChirpStack',
  tts: 'The Things Stack',
  json: 'Any JSON, by a mapping: Monnit and other clouds that push',
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
    lines: `Event endpoint URL:  ${telemetry}/chirpstack
Header:              Authorization
Value:               Bearer ${secret}`,
  }),
  tts: (telemetry, secret) => ({
    words:
      'In the console of The Things Stack, open the application, then Webhooks, Add webhook, Custom webhook: JSON as format, this base URL and header, and a tick at "Uplink message".',
    lines: `Base URL:  ${telemetry}/tts
Header:    Authorization
Value:     Bearer ${secret}`,
  }),
  json: (telemetry, secret) => ({
    words:
      'Let the sender post its JSON here. Then come back: the last body that came stands below, and a mapping says what in it is a reading.',
    lines: `curl ${telemetry}/json \\
  -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" \\
  -d '{"sensors":[{"id":"ULT-1","temp":-79.8}]}'`,
  }),
};
