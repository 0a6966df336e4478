import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { english } from '../language/english.ts';
import { sayRefused } from '../readings/refused.ts';
import { findAnnouncedDevice, isDiscovery, readAnnounced, readDiscovery } from './home-assistant.ts';

const sayFaults = ({ faults }: ReturnType<typeof readDiscovery>) =>
  faults.map((fault) => sayRefused(fault, english));

const NOW = Date.parse('2026-11-15T03:00:00Z');

/** What becomes of a message once this was announced. */
function hear(config: [topic: string, body: unknown], [topic, sent]: [topic: string, sent: string]) {
  const { announced, faults } = readDiscovery(config[0], JSON.stringify(config[1]));
  expect(faults).toEqual([]);
  const ofTopic = announced.filter((one) => one.topic === topic);
  const { entries, rejected } = readAnnounced(ofTopic, sent, { settings: {}, receivedAt: NOW });
  expect(rejected).toEqual([]);
  return entries.map(({ target, values }) => [
    target,
    Object.fromEntries(values.map(([name, value]) => [name, value])),
  ]);
}

describe('what devices announce', () => {
  const esphome: [string, unknown] = [
    'homeassistant/sensor/freezer-node/probe_temperature/config',
    {
      name: 'Probe Temperature',
      unit_of_meas: '°C',
      stat_t: 'freezer-node/sensor/probe_temperature/state',
      avty_t: 'freezer-node/status',
      uniq_id: 'ESPsensorprobe_temperature',
      dev: { ids: 'a4cf12f0d8c3', name: 'freezer-node', mdl: 'esp32dev' },
    },
  ];
  test('ESPHome: a bare number, and whether it is reached', () => {
    const device = { device: 'a4cf12f0d8c3' };
    expect(hear(esphome, ['freezer-node/sensor/probe_temperature/state', '-79.5'])).toEqual([
      [device, { probe_temperature: -79.5 }],
    ]);
    expect(hear(esphome, ['freezer-node/status', 'offline'])).toEqual([[device, { online: 0 }]]);
  });

  test('a value within JSON, in °F, below a base', () => {
    const config: [string, unknown] = [
      'homeassistant/sensor/t1/config',
      {
        '~': 'gw/t1',
        stat_t: '~/state',
        val_tpl: "{{ value_json['probe'].t | float | round(1) }}",
        unit_of_meas: '°F',
        dev: { cns: [['mac', '02:5b:26']] },
      },
    ];
    expect(hear(config, ['gw/t1/state', '{"probe":{"t":212}}'])).toEqual([
      [{ device: '02:5b:26' }, { t1: 100 }],
    ]);
    expect(hear(config, ['gw/t1/state', '{"other":1}'])).toEqual([]);
  });

  test('after how long a value expires says how often it comes', () => {
    const announce = (name: string, device: string, rest: object) => ({
      topic: `homeassistant/sensor/${name}/config`,
      body: JSON.stringify({ stat_t: `x/${name}`, dev: { ids: device }, ...rest }),
    });
    const announcements = [
      announce('t', 'Probe', { exp_aft: 1200 }),
      announce('h', 'Probe', { expire_after: 3600 }),
      announce('b', 'other', { exp_aft: 60 }),
      announce('c', 'silent', { exp_aft: 0 }),
    ];
    const found = ['probe', 'other', 'silent', 'nobody'].map(
      (device) => finish(findAnnouncedDevice(announcements, device)).value.intervalMinutes,
    );
    expect(found).toEqual([10, 1, null, null]);
  });

  test.each<[string, object, string | null, string | null]>([
    ['all of it', { name: 'Probe 7', mf: 'SONOFF', mdl: 'SNZB-02D' }, 'Probe 7', 'Probe 7, SONOFF SNZB-02D'],
    ['spelled out', { manufacturer: 'SONOFF', model: 'SNZB-02D' }, null, 'SONOFF SNZB-02D'],
    ['a name alone', { name: 'Probe 7' }, 'Probe 7', 'Probe 7'],
    ['nothing', {}, null, null],
    ['more than there is room for', { name: 'x'.repeat(300) }, 'x'.repeat(300), 'x'.repeat(200)],
  ])('how it is called, and what it is: %s', (_, described, name, about) => {
    const body = JSON.stringify({ stat_t: 'zigbee2mqtt/ULT-7', dev: { ids: 'id-7', ...described } });
    const announcement = { topic: 'homeassistant/sensor/t/config', body };
    const { announced } = readDiscovery(announcement.topic, body);
    expect(announced).toMatchObject([{ device: 'id-7', name, about }]);
    for (const key of ['ID-7', 'ult-7'])
      expect(finish(findAnnouncedDevice([announcement], key)).value.name).toBe(name);
    const post = readAnnounced(announced, '-80', { settings: {}, receivedAt: NOW });
    expect(post.entries[0]?.model ?? null).toBe(about);
  });

  test('a device with several parts', () => {
    const config: [string, unknown] = [
      'homeassistant/device/0AFFD2/config',
      {
        dev: { ids: ['0AFFD2'], name: 'Fridge' },
        o: { name: 'bla2mqtt' },
        cmps: {
          temperature: { p: 'sensor', stat_t: 's/0AFFD2', val_tpl: '{{ value_json.temperature }}' },
          door: {
            p: 'binary_sensor',
            stat_t: 's/0AFFD2',
            val_tpl: '{{ value_json.door }}',
            pl_on: 'auf',
            pl_off: 'zu',
          },
          light: { p: 'light', stat_t: 's/0AFFD2' },
        },
        avty: [{ t: 's/0AFFD2/there', pl_avail: 'yes', pl_not_avail: 'no' }],
      },
    ];
    expect(hear(config, ['s/0AFFD2', '{"temperature":4.5,"door":"auf"}'])).toEqual([
      [{ device: '0AFFD2' }, { temperature: 4.5, door: 1 }],
    ]);
    expect(hear(config, ['s/0AFFD2/there', 'no']).at(0)).toEqual([{ device: '0AFFD2' }, { online: 0 }]);
  });

  test('an empty value is a fault', () => {
    const { announced } = readDiscovery(
      'homeassistant/sensor/t/config',
      '{"stat_t":"t","val_tpl":"{{ value_json.t }}"}',
    );
    const { entries } = readAnnounced(announced, '{"t":null}', { settings: {}, receivedAt: NOW });
    expect(entries).toMatchObject([{ faults: ['t'] }]);
  });

  test.each([
    ['{{ value_json.t * 2 }}', ['a template is not understood: {{ value_json.t * 2 }}']],
    ['{% if value %}1{% endif %}', ['a template is not understood: {% if value %}1{% endif %}']],
    ['{{ value }}', []],
    ['{{value_json.a.b["c"][0]|int}}', []],
  ])('the template %s', (template, faults) => {
    const body = JSON.stringify({ stat_t: 't', val_tpl: template });
    expect(sayFaults(readDiscovery('homeassistant/sensor/t/config', body))).toEqual(faults);
  });

  test('topics', () => {
    expect(isDiscovery('homeassistant/sensor/a/config')).toBe(true);
    expect(isDiscovery('homeassistant/sensor/node/a/config')).toBe(true);
    expect(isDiscovery('homeassistant/status')).toBe(false);
    expect(readDiscovery('homeassistant/sensor/a/config', '')).toEqual({ announced: [], faults: [] });
    expect(readDiscovery('homeassistant/switch/a/config', '{"stat_t":"t"}').announced).toEqual([]);
  });
});

describe('announcements have a most of everything', () => {
  const device = (parts: number, rest: object = {}) =>
    JSON.stringify({
      ...rest,
      cmps: Object.fromEntries(
        Array.from({ length: parts }, (_, n) => [`t${n}`, { p: 'sensor', stat_t: `s/${n}` }]),
      ),
    });
  const topic = 'homeassistant/device/x/config';

  test.each([
    ['parts', device(101), 'an announcement may describe at most 100 parts'],
    ['bytes', device(1, { note: 'x'.repeat(66_000) }), 'an announcement may take at most 64 kB'],
    ['levels', `{"cmps":${'['.repeat(60)}`, 'an announcement is not valid JSON'],
  ])('%s', (_, body, fault) => {
    const discovery = readDiscovery(topic, body);
    expect(discovery.announced).toEqual([]);
    expect(sayFaults(discovery)).toEqual([fault]);
  });

  test('what says nothing here costs nothing, however often it is inherited', () => {
    const strange = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x${n}`, n]));
    const availability = Array.from({ length: 400 }, (_, n) => ({ topic: `a/${n}` }));
    const { announced } = readDiscovery(topic, device(100, { ...strange, availability }));
    expect(announced).toHaveLength(100 * 6);
  });
});

test('whatever is announced, nothing is thrown', () => {
  const keys = fc.constantFrom('stat_t', 'val_tpl', 'dev', 'ids', 'cmps', 'avty', '~', 'p', 'a');
  const body = fc.dictionary(
    keys,
    fc.oneof(fc.jsonValue(), fc.constant('sensor'), fc.constant('{{ value }}')),
  );
  fc.assert(
    fc.property(body, fc.oneof(fc.json(), fc.string()), (announced, sent) => {
      const found = readDiscovery('homeassistant/device/x/config', JSON.stringify(announced));
      readAnnounced(found.announced, sent, { settings: {}, receivedAt: NOW });
    }),
  );
});
