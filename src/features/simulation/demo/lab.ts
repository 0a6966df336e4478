// The demonstration in the words of a lab file. JSON is YAML too.
import { describeUnit } from '../lab-text.ts';
import { CHAT_ROOM } from './chat-room.tsx';
import { describePeople, membersOf } from './people.ts';
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
      ...('passwords' in people && { groups: [describeGroup(organization)] }),
      services: units
        .filter((unit) => unit.organization === organization)
        .map((unit) => ({
          ...describeUnit(unit, STALE_AFTER_MINUTES),
          ...('passwords' in people && { notifications: NOTIFICATIONS }),
        })),
    })),
  });

const describeGroup = (organization: string) => ({
  name: GROUP,
  accounts: membersOf(organization).flatMap(({ email, role }) => (role === 'viewer' ? [] : [email])),
  webhooks: organization === 'Cell Biology' ? [CHAT_ROOM] : [],
});
