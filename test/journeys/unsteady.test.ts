// A value that swings around its limit.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { HOT, NORMAL, sendAll, standingOf, WARM, watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

async function read(lab: Lab, freezer: Freezer, temperature: number, count: number): Promise<void> {
  await freezer.reads(temperature);
  for (let minute = 0; minute < count; minute += 1) {
    await lab.tick();
    await sendAll(server);
    await lab.advance(minutes(1));
  }
}

const told = async ({ id }: Freezer, from: Date) =>
  (
    await server.db.query<{ at: Date; kind: string; message: string }>(sql`
      select decided_at as "at", kind, message from notification
      where service_id = ${id} and state = 'released' order by decided_at, id`)
  ).map(({ at, kind, message }) => {
    const minute = Math.round((at.getTime() - from.getTime()) / minutes(1));
    return `${minute} ${kind}${message.startsWith('Unsteady') ? `: ${message.split('.')[0]}` : ''}`;
  });

test('three warnings within an hour are told, the fourth says that it is unsteady, then one every half hour; critical always goes', async () => {
  const lab = await openLab(server);
  await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  const freezer = await lab.freezer(
    watchedBy('Cold team', { repeat_interval_minutes: 0, send_recoveries: false }),
  );
  const from = server.clock.read();
  for (let swing = 0; swing < 6; swing += 1) {
    await read(lab, freezer, WARM, 3);
    await read(lab, freezer, NORMAL, 2);
  }
  expect(await told(freezer, from)).toEqual([
    '0 warning',
    '5 warning',
    '10 warning',
    '15 warning: Unsteady, 4 warnings within 60 minutes',
  ]);
  await read(lab, freezer, WARM, 5);
  expect((await standingOf(server, freezer))?.reason).toBe('Unsteady: notified every 30 minutes at most');
  await read(lab, freezer, HOT, 5);
  await read(lab, freezer, NORMAL, 2);
  expect((await told(freezer, from)).slice(4)).toEqual(['35 critical']);
  await read(lab, freezer, WARM, 5);
  expect((await told(freezer, from)).slice(5)).toEqual([
    '45 warning: Unsteady, 5 warnings within 60 minutes',
  ]);
});
