import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { connectMqtt } from './connect-mqtt.ts';

const connect = (telemetry: string, ...listeners: string[]) =>
  connectMqtt({ telemetry: `${telemetry}/api/v1/telemetry`, secret: 'S', listeners }, english);
const LAB = 'https://tocsin.lab.example';

test.each<[string, string, string[], string]>([
  ['TLS', LAB, ['mqtts://0.0.0.0:8883'], '-h tocsin.lab.example -p 8883 --capath /etc/ssl/certs -q 1'],
  [
    'TLS before none',
    LAB,
    ['mqtt://[::]:1883', 'mqtts://[::]:8884'],
    '-h tocsin.lab.example -p 8884 --capath',
  ],
  ['no TLS', LAB, ['mqtt://0.0.0.0:1884'], '-h tocsin.lab.example -p 1884 -q 1'],
  ['this machine alone', LAB, ['mqtt://127.0.0.1:1883'], '-h 127.0.0.1 -p 1883 -q 1'],
  ['this machine alone, by IPv6', LAB, ['mqtt://[::1]:1883'], '-h ::1 -p 1883 -q 1'],
  ['an address of its own', LAB, ['mqtt://10.0.0.5:1883'], '-h 10.0.0.5 -p 1883 -q 1'],
  ['its name in the certificate', LAB, ['mqtts://10.0.0.5:8883'], '-h tocsin.lab.example -p 8883 --capath'],
  ['a page by IPv6', 'http://[::1]:8080', ['mqtt://[::]:1883'], '-h ::1 -p 1883 -q 1'],
])('the command names what listens: %s', (_, page, listeners, command) =>
  expect(connect(page, ...listeners).lines).toContain(command),
);

test('who is shut out is said', () => {
  expect(connect(LAB, 'mqtt://127.0.0.1:1883').words).toContain('TOCSIN_MQTT_HOST');
  expect(connect(LAB, 'mqtt://0.0.0.0:1883').words).not.toContain('TOCSIN_MQTT_HOST');
  expect(connect(LAB, 'mqtt://0.0.0.0:1883').words).toContain('without TLS');
});

test('where nothing listens, it is said what to set, and no command that cannot work', () => {
  const { words, lines } = connect(LAB);
  expect(words).toContain('No program listens for MQTT');
  expect(lines).not.toContain('mosquitto_pub');
  for (const setting of ['TOCSIN_MQTT_PORT=1883', 'TOCSIN_MQTTS_PORT=8883', 'TOCSIN_MQTT_BROKERS='])
    expect(lines).toContain(setting);
});
