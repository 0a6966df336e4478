// What there is to do while nothing is watched: for administrators each step with its link, for others whom to wait for.
import sql from 'sql-template-tag';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { settingsPath } from './settings-path.ts';
import type { Visitor } from './visitor.ts';

export interface FirstStepsModel {
  /** Where it is done; null: somebody else administers it. */
  organization: { id: number } | null;
  /** The source that was made last, and a device that waits to be adopted. */
  sourceId: number | null;
  device: { id: number; key: string } | null;
}

const NOTHING_TO_DO: FirstStepsModel = { organization: null, sourceId: null, device: null };

export async function readFirstSteps(
  db: ReadDatabase,
  { memberships }: Pick<Visitor, 'memberships'>,
): Promise<FirstStepsModel> {
  const administered = memberships.filter(({ role }) => canAdminister(role));
  if (administered.length === 0) return NOTHING_TO_DO;
  const ids = administered.map(({ organizationId }) => organizationId);
  const row = first(
    await db.query<{ id: OrganizationId; sourceId: number | null; deviceId: number | null; key: string }>(sql`
      select organization.id, source.id as "sourceId", device.id as "deviceId", device.key
      from organization
      left join lateral (
        select max(id) as id from source where organization_id = organization.id) as source on true
      left join lateral (
        select id, key from device where organization_id = organization.id and service_id is null
        order by last_seen_at desc nulls last limit 1) as device on true
      where organization.id = any(${ids}::int[])
      order by device.id is null, source.id is null, organization.name limit 1`),
  );
  if (!row) return NOTHING_TO_DO;
  const { id, sourceId, deviceId, key } = row;
  return { organization: { id }, sourceId, device: deviceId === null ? null : { id: deviceId, key } };
}

interface Step {
  title: string;
  about: string;
  isDone: boolean;
  link: { label: string; path: string };
}

const listSteps = ({ sourceId, device }: FirstStepsModel): Step[] => [
  {
    title: 'Connect a source',
    about: 'A gateway, a network server or a script that may hand in data. It gets a secret of its own.',
    isDone: sourceId !== null,
    link: { label: 'Connect a source', path: '/settings/sources' },
  },
  {
    title: 'Let it send a first reading',
    about: 'Its page has the lines to copy, and shows what comes in.',
    isDone: device !== null,
    link: { label: 'Show the lines to copy', path: `/settings/sources/${sourceId}` },
  },
  {
    title: device ? `Adopt ${device.key}` : 'Adopt its device',
    about: 'Name it, choose a template with limits, and its curve begins with what it has said already.',
    isDone: false,
    link: { label: 'Adopt it', path: `/settings/devices/${device?.id}` },
  },
];

export const FirstSteps = (model: FirstStepsModel) => {
  const { organization } = model;
  if (!organization)
    return (
      <section class="card first-steps">
        <h2>Nothing is watched yet</h2>
        <p>
          As soon as an administrator of your organization has connected the first equipment, it stands here.
        </p>
      </section>
    );
  const steps = listSteps(model);
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="card first-steps">
      <h2>Nothing is watched yet</h2>
      <ol>
        {steps.map(({ title, about, isDone, link }, index) => (
          <li key={title} class={isDone ? 'step-done' : undefined}>
            <strong>{title}</strong>
            {isDone && <span class="muted"> Done</span>}
            <p class="step-about">{about}</p>
            {index === next && (
              <p class="step-about">
                <a class="button button-primary" href={settingsPath(link.path, organization)}>
                  {link.label}
                </a>
              </p>
            )}
          </li>
        ))}
      </ol>
      <p class="muted">
        Or describe the whole lab in a file and apply it with <code>tocsin apply lab.yaml</code>, or{' '}
        <a href={settingsPath('/settings/services', organization)}>create a service</a> by hand.
      </p>
    </section>
  );
};
