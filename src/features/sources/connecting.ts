// How each kind of source is told where to send, ready to be copied.
import type { SourceKind } from '../../domain/ways-in/source-settings.ts';

export const KIND_WORDS: Record<SourceKind, string> = {
  tocsin: 'Own JSON: scripts and gateways of your own',
  influx: 'InfluxDB line protocol: Telegraf',
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
};
