// Messages of MQTT that were good once, damaged as a whole: whatever comes, the connection ends when its client has ended.
import { connect } from 'node:net';
import { generate, type IPublishPacket } from 'mqtt-packet';

const MESSAGES: [topic: string, payload: string][] = [
  ['tocsin/d', '{"time":1794711540000,"t":1,"a":{"b":[true,null]}}'],
  ['tocsin/d/online', '1'],
  ['zigbee2mqtt/d', '{"temperature":4.1,"last_seen":"2026-11-15T02:59:59Z"}'],
  ['s/events/rpc', '{"method":"NotifyStatus","params":{"ts":1794711540,"temperature:0":{"tC":1}}}'],
  ['application/1/device/d/event/up', '{"deviceInfo":{"devEui":"d"},"object":{"t":1}}'],
  ['v3/a@t/devices/d/up', '{"uplink_message":{"decoded_payload":{"t":1}}}'],
];
const ENDS_WITHIN_MS = 10_000;

type Dice = (sides: number) => number;

/** What is wrong with how the server took it; null: nothing. */
export function sendDamagedPackets(
  { port, secret }: { port: number; secret: string },
  dice: Dice,
  damage: (body: Buffer, dice: Dice) => Buffer,
): Promise<string | null> {
  const protocolVersion = dice(2) ? 5 : 4;
  const greeting = generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion,
    clean: true,
    clientId: `c${dice(5)}`,
    username: 'any',
    password: Buffer.from(secret),
    ...(dice(3) === 0 && { will: { topic: 'tocsin/d/online', payload: '0', qos: 0 as const } }),
  });
  const packets = Array.from({ length: 1 + dice(4) }, (_, index) => {
    const [topic, payload] = MESSAGES[dice(MESSAGES.length)] as (typeof MESSAGES)[number];
    const qos = dice(3) as IPublishPacket['qos'];
    return generate(
      { cmd: 'publish', topic, payload, qos, dup: false, retain: false, messageId: index + 1 },
      { protocolVersion },
    );
  });
  const sent = Buffer.concat([
    dice(4) === 0 ? damage(greeting, dice) : greeting,
    damage(Buffer.concat(packets), dice),
  ]);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(sent));
    const timer = setTimeout(() => {
      resolve(`a connection that does not end: ${sent.toString('base64')}`);
      socket.destroy();
    }, ENDS_WITHIN_MS);
    socket.on('error', () => {});
    socket.resume().once('close', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
