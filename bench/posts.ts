// Posts, as the bytes that travel, whose times move on with every round, so that no reading comes twice. Built once; only
// the digits change.

import { packSeries, writeTime } from './remote-write.ts';

const TIME = '0000000000000';
/** Readings that a breach lasts: at one a minute, as long as a door stands open. */
const BREACH_READINGS = 10;

export type PostFormat = 'json' | 'influx' | 'prometheus';

export interface PostMaker {
  next(): Buffer;
}

export interface PostPlan {
  devices: number;
  /** Readings in a post. */
  size: number;
  beginsAt: number;
  stepMs: number;
  breachReadings?: number;
  /** The devices before it are left to others. */
  firstDevice?: number;
  format?: PostFormat;
}

/**
 * Walks through the devices in order, `size` at a time. One reading in a hundred breaches; some alarm begins and some
 * other ends in every round.
 */
export function makePosts(
  {
    devices,
    size,
    beginsAt,
    stepMs,
    breachReadings = BREACH_READINGS,
    firstDevice = 1,
    format = 'json',
  }: PostPlan,
  head: string,
): PostMaker {
  const rounds = 2 * breachReadings;
  const perRound = Math.ceil(devices / size);
  const templates = Array.from({ length: perRound * rounds }, (_, index) => {
    const first = (index % perRound) * size;
    const round = Math.floor(index / perRound);
    const entries = Array.from({ length: Math.min(size, devices - first) }, (_, offset) => {
      const device = first + offset + firstDevice;
      const turn = (round + device) % rounds < breachReadings ? 0 : 31;
      const isBreach = (Math.floor(device / rounds) * 7919 + turn) % 100 === 0;
      const value = isBreach ? -50 - (device % 7) / 10 : -80 + (device % 50) / 10;
      return { device: `d${device}`, value };
    });
    const { body, offsets } = format === 'prometheus' ? packSeries(entries) : writeText(entries, format);
    const bytes = Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]);
    return { bytes, offsets: offsets.map((offset) => offset + bytes.length - body.length) };
  });
  let sent = 0;
  return {
    next() {
      const template = templates[sent % templates.length];
      if (!template) throw new Error('no posts');
      const at = beginsAt + Math.floor(sent / perRound) * stepMs;
      const time = format === 'prometheus' ? writeTime(at) : Buffer.from(String(at));
      sent += 1;
      const bytes = Buffer.from(template.bytes);
      for (const offset of template.offsets) bytes.set(time, offset);
      return bytes;
    },
  };
}

/** With the places at which the times stand. */
function writeText(entries: { device: string; value: number }[], format: 'json' | 'influx') {
  const texts = entries.map(({ device, value }) =>
    format === 'influx'
      ? `ult,device=${device} temperature=${value} ${TIME}`
      : `{"device":"${device}","time":${TIME},"values":{"temperature":${value}}}`,
  );
  const body = Buffer.from(format === 'influx' ? texts.join('\n') : `[${texts.join(',')}]`);
  const offsets: number[] = [];
  for (let at = body.indexOf(TIME); at >= 0; at = body.indexOf(TIME, at + 1)) offsets.push(at);
  return { body, offsets };
}
