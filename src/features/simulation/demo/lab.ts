// The demonstration in the words of a lab file. JSON is YAML too.
import { describeUnit } from '../lab-text.ts';
import { CHAT_ROOM } from './chat-room.tsx';
import { describePeople, membersOf, TIME_ZONE } from './people.ts';
import { guidanceOf, placeOf, rescueOf } from './places.ts';
import { type DemoUnit, ORGANIZATIONS } from './plan.ts';

const STALE_AFTER_MINUTES = 20;
const GROUP = 'Cold team';

const NOTIFICATIONS = {
  group: GROUP,
  send_critical: true,
  send_warning: true,
  send_acknowledgements: true,
  send_recoveries: true,
  repeat_interval_minutes: 240,
  enable_system_notifications: true,
  system_notification_delay_minutes: 5,
};

interface DemoLab {
  units: readonly DemoUnit[];
  /** The people of the demonstration with their passwords by email, or the one who runs all of it. */
  people: { passwords: ReadonlyMap<string, string> } | { owner: string };
}

/** An owner's own mail server is not there for a demonstration: then nobody is told anything. */
export const describeDemo = ({ units, people }: DemoLab): string =>
  JSON.stringify({
    ...('passwords' in people && { accounts: describePeople(people.passwords) }),
    organizations: ORGANIZATIONS.map((organization) => ({
      name: organization,
      members: 'owner' in people ? [{ email: people.owner, role: 'administrator' }] : membersOf(organization),
      ...('passwords' in people && describeTelling(organization)),
      services: units
        .filter((unit) => unit.organization === organization)
        .map((unit) => ({
          ...describeUnit(unit, STALE_AFTER_MINUTES),
          ...placeOf(unit),
          guidance: guidanceOf(unit),
          rescue: rescueOf(unit),
          ...('passwords' in people && { notifications: NOTIFICATIONS }),
        })),
    })),
  });

/** Where nobody is in the lab at night, one of two is on call, and the administrator hears of it a quarter of an hour later. */
const ON_CALL: Record<string, string[]> = {
  Biobank: ['oscar@lab.example', 'nils@lab.example'],
  Neuroscience: ['nils@lab.example', 'ada@lab.example'],
};

const LAB_HOURS = {
  timezone: TIME_ZONE,
  weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' }],
};

function describeTelling(organization: string) {
  const everybody = membersOf(organization).flatMap(({ email, role }) => (role === 'viewer' ? [] : [email]));
  const onCall = ON_CALL[organization];
  if (!onCall) {
    const webhooks = organization === 'Cell Biology' ? [CHAT_ROOM] : [];
    return { groups: [{ name: GROUP, accounts: everybody, webhooks }] };
  }
  return {
    lab_hours: LAB_HOURS,
    rotas: [
      { name: 'Nights', timezone: TIME_ZONE, handover: '08:00', every: 'week', length: 1, members: onCall },
    ],
    groups: [
      {
        name: GROUP,
        steps: [{ step: 1, after_minutes: 15 }],
        told: [
          ...everybody.map((account) => ({ during: 'lab_hours', account })),
          { during: 'off_hours', rota: 'Nights' },
          { step: 1, account: 'ada@lab.example' },
        ],
      },
    ],
  };
}
