// All ways in, in the order in which pages offer them.
import { chirpstack } from './chirpstack.ts';
import { influx } from './influx.ts';
import { json } from './mapping.ts';
import { otlp } from './otlp.ts';
import { tocsin } from './own-json.ts';
import { prometheus } from './prometheus.ts';
import { mqtt } from './topics.ts';
import { tts } from './tts.ts';

export const WAYS = { tocsin, influx, chirpstack, tts, json, prometheus, otlp, mqtt };

/** How a source speaks. */
export type SourceKind = keyof typeof WAYS;

export const SOURCE_KINDS = Object.keys(WAYS) as SourceKind[];
