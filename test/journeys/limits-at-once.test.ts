// Several people change the same limits at the same moment, while the freezer goes on reading.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { claimRequest, completeRequest } from '../../src/engine/advice/recommendations.ts';
import { holdToChange } from '../../src/engine/journal/lock-alarm-states.ts';
import { auditOfService, createFreezer } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { BLANK_EDIT, settingsOf, versionsOf } from '../support/limits-desk.ts';
import { seconds } from '../support/movable-clock.ts';
import { countStored } from '../support/stored-readings.ts';
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
  // A second administrator.
  await server.db.query(sql`
    update membership set role = 'administrator' where account_id = ${lab.oscar.id}`);
});

const edit = (fields: Record<string, string>, person = lab.ada) =>
  person.post(`/api/v1/services/${freezer.id}/edit`, { ...BLANK_EDIT, ...fields });
const deleteBand = (fields: Record<string, string>, person = lab.oscar) =>
  person.post(`/api/v1/services/${freezer.id}/delete-band`, { metric_channel: 'temperature', ...fields });

/** Numbered without a gap, one in force, each retired when the next began. */
async function expectWholeHistory(length: number) {
  const versions = await versionsOf(server, freezer);
  expect(versions.map(({ version }) => version)).toEqual(Array.from({ length }, (_, index) => index + 1));
  expect(versions.map(({ retiredAt }) => retiredAt)).toEqual([
    ...versions.slice(1).map(({ createdAt }) => createdAt),
    null,
  ]);
  return versions;
}
const auditOf = () => auditOfService(server, { id: freezer.id, name: '' });

test('two administrators save the same channel: both versions exist, in order, none lost', async () => {
  const sent = Array.from({ length: 20 }, (_, index) => index + 1);
  const answers = await Promise.all(
    sent.map((limit) =>
      edit({ ch_high: String(limit), name: `Unit ${limit}` }, limit % 2 ? lab.ada : lab.oscar),
    ),
  );
  expect(answers.map((answer) => answer.headers.get('location'))).toEqual(
    sent.map(() => `/services/${freezer.id}`),
  );

  const versions = await expectWholeHistory(20);
  const limits = versions.map(({ bands }) => bands[0]?.limit ?? 0);
  expect(limits.toSorted((one, other) => one - other)).toEqual(sent);
  for (const [index, { authorName }] of versions.entries())
    expect(authorName).toBe((limits[index] ?? 0) % 2 ? 'Ada' : 'Oscar');
  // Whoever saved last has the last word about everything, and the records tell the same story.
  expect(await settingsOf(server, freezer)).toMatchObject({ name: `Unit ${limits.at(-1)}` });
  const records = (await auditOf()).filter(({ action }) => action === 'service.edit');
  expect(records.map(({ detail }) => detail)).toMatchObject(
    limits.map((limit, index) => ({
      version: index + 1,
      changes: {
        name: { after: `Unit ${limit}` },
        CRITICAL_HIGH: {
          before: index === 0 ? null : { limit: limits[index - 1] },
          after: { limit },
        },
      },
    })),
  );
});

test('edits and band removals at once: each removal starts from the version before it', async () => {
  await edit({ ch_high: '8', wh_high: '7', cl_low: '1', wl_low: '2' });
  const names = ['CRIT_HIGH', 'CRIT_LOW', 'WARN_HIGH', 'WARN_LOW'];
  const answers = await Promise.all([
    ...names.map((band_name) => deleteBand({ band_name })),
    ...names.map((_, index) => edit({ ch_high: String(20 + index), wl_low: '2' })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 303, 303, 303, 303]);

  const versions = await expectWholeHistory(9);
  const records = (await auditOf())
    .map(({ detail }) => detail as { version: number; band_name?: string })
    .filter(({ version }) => version > 1);
  for (const { version, band_name } of records) {
    const { bands } = versions[version - 1] ?? { bands: [] };
    const expected =
      band_name === undefined
        ? ['CRITICAL_HIGH', 'WARNING_LOW']
        : versions[version - 2]?.bands.map(({ band }) => band).filter((band) => band !== band_name);
    expect(bands.map(({ band }) => band)).toEqual(expected);
  }
});

test('a recommendation is applied while others edit and remove: every version is whole, and it counts once', async () => {
  const apply = (result_id: string) =>
    lab.ada.post(`/api/v1/services/${freezer.id}/apply-recommendation`, { result_id });
  await edit({ ch_high: '8', wh_high: '7' });
  await lab.ada.post(`/api/v1/services/${freezer.id}/recommend`);
  const { id = '' } = (await claimRequest(server.db, server.clock.read(), 1)) ?? {};
  const bands = [{ band: 'WARNING_LOW', limit: 1 }];
  const result = { channel: 'temperature', proposed_bands: bands };
  await completeRequest(server.db, id, result, server.clock.read());

  const answers = await Promise.all([
    edit({ ch_high: '20' }),
    apply(id),
    deleteBand({ band_name: 'WARN_HIGH' }),
    apply(id),
    edit({ ch_high: '21' }, lab.oscar),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([303, 200, 200, 200, 303]);
  const texts = await Promise.all([answers[1], answers[3]].map((answer) => answer?.text()));
  expect(texts.filter((text) => text?.includes('✓ Applied 1 band(s)'))).toHaveLength(1);
  expect(texts.filter((text) => text?.includes('already applied'))).toHaveLength(1);

  const versions = await expectWholeHistory(5);
  for (const { action, detail } of await auditOf()) {
    const { version = 1 } = detail as { version?: number };
    if (version === 1) continue;
    const [before, after] = [versions[version - 2], versions[version - 1]];
    if (action === 'policy.apply_recommendation')
      expect(after?.bands).toEqual([{ band: 'WARNING_LOW', limit: 1, delay: 0, sustained: 0 }]);
    else if (action === 'service.band.delete')
      expect(after?.bands).toEqual(before?.bands.filter(({ band }) => band !== 'WARNING_HIGH'));
    else expect(after?.bands).toMatchObject([{ band: 'CRITICAL_HIGH' }]);
  }
});

test('four removals at once leave nothing', async () => {
  await edit({ ch_high: '8', wh_high: '7', cl_low: '1', wl_low: '2' });
  await Promise.all(
    ['CRIT_HIGH', 'CRIT_LOW', 'WARN_HIGH', 'WARN_LOW'].map((band_name) => deleteBand({ band_name })),
  );
  expect((await expectWholeHistory(5)).map(({ bands }) => bands.length)).toEqual([4, 3, 2, 1, 0]);
});

test('while readings pour in, nothing is lost, and the last limits judge the last reading', async () => {
  for (let round = 0; round < 10; round += 1) {
    server.clock.advance(seconds(10));
    const answers = await Promise.all([
      freezer.reads(-50 - round),
      edit({ ch_high: String(-60 - round) }),
      freezer.sends({
        time: server.clock.read().getTime() - 5_000,
        values: { temperature: -80, humidity: round },
      }),
      edit({ ch_high: String(-70 - round) }, lab.oscar),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 303, 200, 303]);
  }
  const versions = await expectWholeHistory(20);
  expect(await countStored(server.db, [freezer.id])).toBe(30);
  const limit = versions.at(-1)?.bands[0]?.limit;
  expect(await lab.alarms()).toMatchObject([
    { message: `Temperature -59 °C is above the critical limit of ${limit} °C` },
  ]);

  await edit({ ch_high: '0.5' });
  expect(await lab.alarms()).toEqual([]);
});

test('a service that is archived meanwhile is not edited', async () => {
  let editing: Promise<Response> | undefined;
  await server.db.transaction(async (tx) => {
    holdToChange(tx, [freezer.id as ServiceId]);
    await tx.query(sql`select`);
    editing = edit({ ch_high: '8' });
    await untilSomebodyWaits();
    await tx.query(sql`update service set archived_at = ${server.clock.read()} where id = ${freezer.id}`);
  });
  expect((await editing)?.status).toBe(404);
  expect(await versionsOf(server, freezer)).toEqual([]);
});

test('those who may not edit wait for nobody', async () => {
  const other = await createFreezer(server, lab);
  await server.db.transaction(async (tx) => {
    holdToChange(tx, [other.id as ServiceId]);
    await tx.query(sql`select`);
    for (const person of [lab.vera, lab.olga, lab.nora])
      expect((await person.post(`/api/v1/services/${other.id}/edit`, BLANK_EDIT)).status).not.toBe(303);
  });
});

const untilSomebodyWaits = () =>
  expect
    .poll(() =>
      server.db.query(sql`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
    )
    .toHaveLength(1);
