import { generate, parser } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { findComing, MOST_PACKET_BYTES } from './packets.ts';

const publish = (bytes: number) =>
  generate({ cmd: 'publish', topic: 'a', payload: Buffer.alloc(bytes), qos: 0, retain: false, dup: false });

test('how long a packet will be is known from its first bytes', () => {
  const input = parser();
  input.parse(publish(MOST_PACKET_BYTES).subarray(0, 5));
  expect(findComing(input)).toBeGreaterThan(MOST_PACKET_BYTES);
});

test('and of one that was read nothing is left', () => {
  const input = parser();
  const heard: unknown[] = [];
  input.on('packet', (packet) => heard.push(packet));
  input.parse(publish(100));
  expect(heard).toHaveLength(1);
  expect(findComing(input)).toBeLessThan(100);
});
