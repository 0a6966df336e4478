// A lab as it was drawn, in the real program: furnished by the lab file, pages and the interface, told of by a real mail
// server and real receivers, on a clock that is moved to whenever something is due.
import sql from 'sql-template-tag';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import type { ServiceId } from '../../src/domain/ids.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import type { DrawnLab } from './drawn-lab.ts';
import { type Lab, openLab } from './lab.ts';
import { minutes } from './movable-clock.ts';
import type { Person } from './people.ts';
import { grantRole } from './settings-desk.ts';
import type { TestServer } from './test-server.ts';

export const STALE_AFTER_MINUTES = 15;
/** Whoever is told of the gateway is told of nothing else. */
export const GATEWAY_ADDRESS = 'gateways@lab.example';

export interface ForetoldHouse {
  lab: Lab;
  serviceId: ServiceId;
  reads(temperature: number): Promise<void>;
  hearsGateway(): Promise<void>;
  /** Nothing of it is told any more. */
  leaves(): Promise<void>;
}

/** Everything is as it will be when something begins, but for those who come and go on their own. */
export async function furnish(
  server: TestServer,
  drawn: DrawnLab,
  receiverUrl: string,
): Promise<ForetoldHouse> {
  const { db, clock } = server;
  const lab = await openLab(server);
  await grantRole(server, lab.nora, lab.organization, 'operator');
  const people: Person[] = [lab.vera, lab.oscar, lab.ada, lab.nora];
  const name = `Freezer of ${lab.organizationName}`;
  const key = `${lab.organization}-freezer`;
  const apply = async (organization: Record<string, unknown>, rest: Record<string, unknown> = {}) => {
    const text = JSON.stringify({
      ...rest,
      organizations: [{ name: lab.organizationName, ...organization }],
    });
    const input = { text, fileName: 'lab.yaml', isDryRun: false };
    const applied = await applyLabFile(db, COMMAND_LINE, input, clock.read());
    if (!applied.ok) throw new Error(JSON.stringify(applied.refusal));
    return applied.value.ids;
  };
  const { services } = await apply(writeOrganization(drawn, people, { name, key, receiverUrl }));
  const serviceId = services[`${lab.organizationName}/${name}`] as ServiceId;
  for (const [index, { methods }] of drawn.people.entries())
    for (const method of methods) await addMethod(server, people[index] as Person, method, receiverUrl);
  await arrange(server, lab, people, serviceId, drawn);
  await apply(
    { members: drawn.people.map(({ role }, index) => ({ email: people[index]?.email, role })) },
    { accounts: drawn.people.map(({ active }, index) => ({ email: people[index]?.email, active })) },
  );
  const post = async (device: string, values: Record<string, number>) => {
    const answer = await lab.post([{ device, time: clock.read().getTime(), values }]);
    if (answer.status !== 200) throw new Error(await answer.text());
  };
  return {
    lab,
    serviceId,
    reads: (temperature) => post(key, { temperature }),
    hearsGateway: () => post(`${key}-gateway`, { signal: 1 }),
    leaves: async () =>
      void (await apply({
        services: [
          { name, device: { key }, archived: true },
          ...(drawn.gateway === 'none' ? [] : [{ name: 'Gateway', archived: true }]),
        ],
      })),
  };
}

function writeOrganization(
  drawn: DrawnLab,
  people: readonly Person[],
  { name, key, receiverUrl }: { name: string; key: string; receiverUrl: string },
) {
  const { hours, holidays, rota, group, flags, delays, sharedDelay, sustained, gateway } = drawn;
  const emailOf = (index: number) => people[index]?.email;
  const bands = (critical: number, warning: number) => ({
    CRITICAL_HIGH: { limit: -60, delay: critical, sustained },
    WARNING_HIGH: { limit: -65, delay: warning, sustained },
  });
  return {
    ...(hours && { lab_hours: hours }),
    holidays: holidays.map((day) => ({ day, name: 'Holiday' })),
    rotas: [
      {
        name: 'Nights',
        timezone: rota.timezone,
        every: rota.every,
        length: rota.length,
        from: rota.from,
        handovers: rota.handovers.map((one) => ({ ...one, members: one.members.map(emailOf) })),
      },
    ],
    groups: [
      ...(group ? [writeGroup(group, emailOf, `${receiverUrl}/${key}`)] : []),
      ...(gateway === 'none' ? [] : [{ name: 'Gateways', emails: [GATEWAY_ADDRESS] }]),
    ],
    services: [
      {
        name,
        device: { key },
        channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
        limits: [
          ...(sharedDelay === null ? [] : [{ channel: 'default', bands: bands(sharedDelay, sharedDelay) }]),
          { channel: 'temperature', bands: bands(delays.critical, delays.warning) },
        ],
        stale_after_minutes: drawn.subject === 'stale' ? STALE_AFTER_MINUTES : 0,
        notifications: {
          ...(group && { group: 'Cold team' }),
          ...flags,
          send_recoveries: false,
          send_acknowledgements: false,
          repeat_interval_minutes: 0,
          system_notification_delay_minutes: delays.stale,
        },
      },
      ...(gateway === 'none'
        ? []
        : [
            {
              name: 'Gateway',
              device: { key: `${key}-gateway` },
              stale_after_minutes: gateway === 'heard' ? 0 : STALE_AFTER_MINUTES,
              notifications: {
                ...(gateway === 'stale, and notified to nobody' ? {} : { group: 'Gateways' }),
                enable_system_notifications: true,
                system_notification_delay_minutes: 0,
              },
            },
          ]),
    ],
    gateways: gateway === 'none' ? [] : [{ service: 'Gateway', services: [name] }],
  };
}

function writeGroup(
  { steps, told }: NonNullable<DrawnLab['group']>,
  emailOf: (index: number) => string | undefined,
  hooksUrl: string,
) {
  return {
    name: 'Cold team',
    steps: steps.map(({ afterMinutes, kinds }, index) => ({
      step: index + 1,
      after_minutes: afterMinutes,
      kinds,
    })),
    told: told.map(({ step, during, who, number }) => ({
      step,
      during,
      ...{
        address: { email: `address-${number}@lab.example` },
        account: { account: emailOf(number) },
        rota: { rota: 'Nights' },
        webhook: { webhook: { kind: 'generic', url: `${hooksUrl}/${number}` } },
      }[who],
    })),
  };
}

const addMethod = (
  { db, clock }: TestServer,
  { id, email }: Person,
  { kind, afterMinutes, onlyCritical, during }: DrawnLab['people'][number]['methods'][number],
  receiverUrl: string,
) => {
  const digits = String(id).padStart(7, '0');
  const address = {
    email,
    sms: `+49151${digits}`,
    voice: `+4930${digits}`,
    ntfy: `${receiverUrl}/person-${id}`,
  }[kind];
  return db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at, after_minutes, only_critical, during)
    values (${id}, ${kind}, ${address}, ${clock.read()}, ${clock.read()}, ${afterMinutes}, ${onlyCritical}, ${during})`);
};

/** Stand-ins, mutes and downtimes, as people arrange them. */
async function arrange(
  { db, clock }: TestServer,
  { ada, organization }: Lab,
  people: readonly Person[],
  serviceId: ServiceId,
  { begunAt, rota, mutes, downtimes, series }: DrawnLab,
): Promise<void> {
  const at = (minute: number) =>
    new Date(Math.floor(Date.parse(begunAt) / 60_000) * 60_000 + minutes(minute));
  const demand = async (asked: Promise<Response>, status: number) => {
    const answer = await asked;
    if (answer.status !== status) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  const [stored] = await db.query<{ id: number }>(
    sql`select id from rota where organization_id = ${organization}`,
  );
  for (const { from, length, person } of rota.standIns) {
    const span = { start: localInput(at(from)), end: localInput(at(from + length)) };
    // In the hour that comes twice both may read alike.
    if (span.start >= span.end) continue;
    const form = { ...span, account_id: String(people[person]?.id) };
    await demand(ada.post(`/on-call/${stored?.id}/appoint`, form), 303);
  }
  for (const { from, length } of downtimes) {
    const span = { start_time: utc(at(from)), end_time: utc(at(from + length)) };
    if (at(from + length) <= clock.read()) continue;
    const form = { service_id: String(serviceId), ...span, reason: 'Defrost' };
    await demand(ada.post('/api/v1/downtimes', form), 303);
  }
  if (series) {
    const { minutes: duration, ...rest } = series;
    const form = { service_id: String(serviceId), interval: '1', reason: 'Defrost', ...rest };
    await demand(ada.post('/downtimes/series', { ...form, duration: String(duration) }), 303);
  }
  for (const mute of mutes) {
    const lasts =
      mute === 'for good' ? null : Math.ceil((at(mute).getTime() - clock.read().getTime()) / 60_000);
    const form: Record<string, string> = lasts === null ? {} : { minutes: String(lasts) };
    await demand(ada.post(`/api/v1/services/${serviceId}/mute`, form), 200);
  }
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

const BERLIN = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'short',
});
/** As the form of somebody in Berlin sends it. */
const localInput = (at: Date): string => BERLIN.format(at).replace(' ', 'T');
