// Limits are changed under a running lab: what becomes of alarms, acknowledgements and staleness, told with real readings.

import fc from 'fast-check';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { formatInstant } from '../../src/domain/instant.ts';
import { readEditForm } from '../../src/engine/services/read-edit-form.ts';
import { readLimitsHistory } from '../../src/features/services/limits/read-limits-history.ts';
import { acknowledgementsOf } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { BLANK_EDIT, createGroup, settingsOf, versionsOf } from '../support/limits-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
let freezer: Awaited<ReturnType<Lab['freezer']>>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  freezer = await lab.freezer();
});

const post = (verb: string, form: Record<string, string>) =>
  lab.ada.post(`/api/v1/services/${freezer.id}/${verb}`, form);
async function edit(fields: Record<string, string>) {
  const answer = await post('edit', { ...BLANK_EDIT, ...fields });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/services/${freezer.id}`]);
}
const deleteBand = async (fields: Record<string, string>) =>
  (await post('delete-band', { metric_channel: 'temperature', ...fields })).text();
const acknowledge = () => lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
const now = () => formatInstant(server.clock.read());

describe('judged again at once', () => {
  test('stricter limits raise an alarm that begins with them, wider ones end it', async () => {
    await edit({ ch_high: '-60' });
    await freezer.reads(-70);
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(3));
    await edit({ ch_high: '-60', wh_high: '-75' });
    expect(await lab.alarms()).toMatchObject([
      {
        severity: 'warning',
        triggered_at: now(),
        message: 'Temperature -70 °C is above the warning limit of -75 °C',
      },
    ]);
    await edit({ ch_high: '-60', wh_high: '-65' });
    expect(await lab.alarms()).toEqual([]);
  });

  test('an unchanged severity keeps its beginning and loses its acknowledgement', async () => {
    await edit({ ch_high: '-60' });
    await freezer.reads(-50);
    const began = now();
    expect((await acknowledge()).status).toBe(200);
    await lab.advance(minutes(3));
    await edit({ ch_high: '-55' });
    expect(await lab.alarms()).toMatchObject([
      {
        severity: 'critical',
        triggered_at: began,
        acknowledged: false,
        message: 'Temperature -50 °C is above the critical limit of -55 °C',
      },
    ]);
    expect(await acknowledgementsOf(server, { id: freezer.id, name: '' })).toMatchObject([
      { endReason: 'limits_changed' },
    ]);
    expect((await acknowledge()).status).toBe(200);
  });

  test('a breach that has already lasted long enough is active immediately', async () => {
    for (const temperature of [-80, -62, -61, -62]) {
      await freezer.reads(temperature);
      await lab.advance(minutes(5));
    }
    await edit({ ch_high: '-65', ch_sustained: '16' });
    expect(await lab.alarms()).toEqual([]);
    await edit({ ch_high: '-65', ch_sustained: '15' });
    expect(await lab.alarms()).toMatchObject([{ severity: 'critical', triggered_at: now() }]);
  });

  test('a removed band ends its alarm; the warning behind it shows', async () => {
    await edit({ ch_high: '-60', wh_high: '-65' });
    await freezer.reads(-50);
    await acknowledge();
    await lab.advance(minutes(1));
    expect(await deleteBand({ band_name: 'CRIT_HIGH' })).toContain('✓ Removed band CRITICAL_HIGH');
    expect(await lab.alarms()).toMatchObject([
      { severity: 'warning', triggered_at: now(), acknowledged: false },
    ]);
    await deleteBand({ clear_all: 'true' });
    expect(await lab.alarms()).toEqual([]);
  });

  test('an empty entry takes a channel away from the service-wide limits', async () => {
    await edit({ metric_channel: 'default', ch_high: '-60' });
    await freezer.reads(-50);
    expect(await lab.alarms()).toMatchObject([{ severity: 'critical' }]);
    expect(await deleteBand({ clear_all: 'true' })).toContain('✓ Created policy entry');
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(1));
    await freezer.reads(-40);
    expect(await lab.alarms()).toEqual([]);
  });

  test('percentage limits are judged by the setpoint that was stored before', async () => {
    await freezer.sends({ values: { temperature: -60, setpoint: -80 } });
    await edit({ is_percentage: 'on', setpoint_channel: 'setpoint', ch_high: '20' });
    expect(await lab.alarms()).toMatchObject([{ severity: 'critical', channel: 'temperature' }]);
  });

  test('the next reading is judged by the new limits', async () => {
    await edit({ ch_high: '-60' });
    await freezer.reads(-70);
    await edit({ ch_high: '-75' });
    await edit({ ch_high: '-65' });
    await lab.advance(minutes(1));
    await freezer.reads(-64);
    expect(await lab.alarms()).toMatchObject([{ severity: 'critical' }]);
  });

  test('a span that ends before the calendar does', async () => {
    await freezer.reads(-50);
    await edit({ ch_high: '-60', ch_sustained: '2147483647' });
    await lab.advance(minutes(1));
    await freezer.reads(-50);
    expect(await lab.alarms()).toEqual([]);
  });
});

describe('stale_after_minutes takes effect', () => {
  test('shorter: stale at once; longer: not stale any more; 0: never', async () => {
    await edit({ stale_after_minutes: '60' });
    await freezer.reads(-70);
    await lab.advance(minutes(30));
    expect(await lab.alarms()).toEqual([]);
    await edit({ stale_after_minutes: '20' });
    expect(await lab.alarms()).toMatchObject([{ severity: 'stale' }]);
    await edit({ stale_after_minutes: '40' });
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(11));
    expect(await lab.alarms()).toMatchObject([{ severity: 'stale' }]);
    await edit({ stale_after_minutes: '0' });
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(1000));
    expect(await lab.alarms()).toEqual([]);
  });

  test('at once for a service that never reported, too', async () => {
    await edit({ stale_after_minutes: '0' });
    await lab.advance(minutes(30));
    expect(await lab.alarms()).toEqual([]);
    await edit({ stale_after_minutes: '10' });
    expect(await lab.alarms()).toMatchObject([{ severity: 'stale' }]);
    await edit({ stale_after_minutes: '60' });
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(31));
    expect(await lab.alarms()).toMatchObject([{ severity: 'stale' }]);
  });
});

describe('read back', () => {
  const idOf = () => freezer.id as ServiceId;

  test('the form shows what is in force, for the channel chosen last or the one asked for', async () => {
    expect(await readEditForm(server.db, idOf())).toMatchObject({ metric_channel: 'default', ch_high: '' });
    await lab.apply({
      name: 'Incubator',
      device: { key: freezer.device },
      limits: [{ channel: 'temperature', bands: { WARNING_HIGH: { limit: 38, sustained: 2.5 } } }],
    });
    expect(await readEditForm(server.db, idOf())).toEqual({
      name: 'Incubator',
      metric_channel: 'temperature',
      is_percentage: '',
      setpoint_channel: '',
      state_channel: '',
      ch_high: '',
      ch_delay: '',
      ch_sustained: '',
      cl_low: '',
      cl_delay: '',
      cl_sustained: '',
      wh_high: '38',
      wh_delay: '0',
      wh_sustained: '2.5',
      wl_low: '',
      wl_delay: '',
      wl_sustained: '',
      repeat_interval_minutes: '60',
      send_critical: '',
      send_warning: '',
      send_acknowledgements: '',
      send_recoveries: '',
      notification_group_id: '',
      enable_system_notifications: '',
      system_notification_delay_minutes: '5',
      stale_after_minutes: '15',
    });
    await edit({ metric_channel: 'co2', wl_low: '4' });
    expect(await readEditForm(server.db, idOf())).toMatchObject({ metric_channel: 'co2', wl_low: '4' });
    expect(await readEditForm(server.db, idOf(), 'temperature')).toMatchObject({ wh_high: '38', wl_low: '' });
    expect(await readEditForm(server.db, idOf(), null)).toMatchObject({
      metric_channel: 'default',
      wh_high: '',
    });
    expect(await readEditForm(server.db, 2147483647 as ServiceId)).toBe(null);
  });

  test('a saved configuration sent again changes nothing but the version', async () => {
    const group = await createGroup(server, lab.organization, 'Cold team');
    const number = fc.oneof(
      fc.constantFrom('', '0', '-0', 'x', ' 3.5 ', '1e-7'),
      fc.double({ min: 0, max: 1e6, noNaN: true }).map(String),
      fc.nat({ max: 100_000 }).map(String),
    );
    const flag = fc.constantFrom('on', 'true', '1', '', 'no');
    const text = fc.constantFrom('', 'default', 'temperature', 'Ümläut & Co', ' spaced ');
    const shown = await readEditForm(server.db, idOf());
    const fields = Object.keys(shown ?? {}).filter(
      (field) => !/channel|_high|_low|is_|send_|enable_/.test(field),
    );
    const form = fc.record({
      ...Object.fromEntries(fields.map((field) => [field, number])),
      ...Object.fromEntries(
        [
          'is_percentage',
          'send_critical',
          'send_warning',
          'send_recoveries',
          'enable_system_notifications',
        ].map((field) => [field, flag]),
      ),
      name: fc.constantFrom('', 'Freezer <1>', ' ÄÖ '),
      metric_channel: text,
      setpoint_channel: text,
      state_channel: text,
      notification_group_id: fc.constantFrom('', String(group), '99999'),
      cl_low: fc.constantFrom('', '-1e6', '-100.25'),
      wl_low: fc.constantFrom('', '-99', '0'),
      wh_high: fc.constantFrom('', '1', '0.1'),
      ch_high: fc.constantFrom('', '1.5', '1e300'),
    });
    await fc.assert(
      fc.asyncProperty(form, async (sent) => {
        await edit(sent as Record<string, string>);
        const settings = await settingsOf(server, freezer);
        const before = (await versionsOf(server, freezer)).at(-1);
        const again = await readEditForm(server.db, idOf());
        await edit(again ?? {});
        expect(await settingsOf(server, freezer)).toEqual(settings);
        expect((await versionsOf(server, freezer)).at(-1)).toEqual({
          ...before,
          version: (before?.version ?? 0) + 1,
        });
      }),
      { numRuns: 15 },
    );
  });

  test('the history tells who changed what, when and how, newest first', async () => {
    await lab.apply({
      name: 'Freezer',
      device: { key: freezer.device },
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    });
    const applied = server.clock.read();
    server.clock.advance(minutes(1));
    await edit({ ch_high: '-60', wh_high: '-65', wh_sustained: '5' });
    const edited = server.clock.read();
    server.clock.advance(minutes(1));
    await deleteBand({ band_name: 'CRIT_HIGH' });
    const deleted = server.clock.read();
    await deleteBand({ metric_channel: 'default', clear_all: 'true' });

    const mode = { isPercentage: false, setpointChannel: null, stateChannel: null };
    const ada = { authorId: lab.ada.id, authorName: 'Ada' };
    const critical = { band: 'CRITICAL_HIGH', limit: -60, delayMinutes: 0, sustainedMinutes: 0 };
    const warning = { band: 'WARNING_HIGH', limit: -65, delayMinutes: 0, sustainedMinutes: 5 };
    const { entries, olderThan } = await readLimitsHistory(server.db, idOf(), null);
    expect(olderThan).toBeNull();
    expect(entries.map(({ id: _, ...entry }) => entry)).toEqual([
      {
        ...mode,
        ...ada,
        channel: null,
        version: 1,
        origin: 'band_delete',
        createdAt: deleted,
        retiredAt: null,
        bands: [],
        changes: {},
      },
      {
        ...mode,
        ...ada,
        channel: 'temperature',
        version: 3,
        origin: 'band_delete',
        createdAt: deleted,
        retiredAt: null,
        bands: [warning],
        changes: { CRITICAL_HIGH: { before: { limit: -60, delay: 0, sustained: 0 }, after: null } },
      },
      {
        ...mode,
        ...ada,
        channel: 'temperature',
        version: 2,
        origin: 'edit',
        createdAt: edited,
        retiredAt: deleted,
        bands: [critical, warning],
        changes: { WARNING_HIGH: { before: null, after: { limit: -65, delay: 0, sustained: 5 } } },
      },
      {
        ...mode,
        authorId: null,
        authorName: 'command line',
        channel: 'temperature',
        version: 1,
        origin: 'lab_file',
        createdAt: applied,
        retiredAt: edited,
        bands: [critical],
        changes: { CRITICAL_HIGH: { before: null, after: { limit: -60, delay: 0, sustained: 0 } } },
      },
    ]);
  });

  test('the page shows it leaf by leaf, however long it is, and each version against the one before', async () => {
    const now = server.clock.read();
    await server.db.query(sql`
      with made as (
        insert into limits_version (service_id, channel, version, is_percentage, origin, author_name, created_at, retired_at)
        select ${idOf()}, 'humidity', version, false, 'edit', 'Ada', ${now}, ${now} from generate_series(1, 119) as version
        returning id, version)
      insert into limits_band (limits_version_id, band, limit_value, delay_minutes, sustained_minutes)
      select id, 'CRITICAL_HIGH', version, 0, 0 from made`);
    const shown: string[] = [];
    let path: string | undefined = `/services/${idOf()}`;
    const sizes: number[] = [];
    while (path !== undefined) {
      const html = await (await lab.vera.get(path)).text();
      const found = [...html.matchAll(/humidity, version (\d+).*?<ul>(.*?)<\/ul>/gs)];
      shown.push(...found.map(([, version, changes]) => `${version} ${changes?.match(/(\d+|none) →/)?.[1]}`));
      sizes.push(found.length);
      path = /href="([^"]+)">Older versions/.exec(html)?.[1];
    }
    expect(sizes).toEqual([50, 50, 19]);
    expect(shown).toEqual(
      Array.from({ length: 119 }, (_, index) => `${119 - index} ${118 - index || 'none'}`),
    );
  });
});
