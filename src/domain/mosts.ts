// How many of each there may be of what people, their sensors and their scripts can make. No honest laboratory meets these
// numbers; they are there so that nobody fills the house of others. docs/limits.md shows them.

import { english } from './language/english.ts';
import { message } from './language/message.ts';
import type { Language } from './language/speak.ts';

type Owner = 'floor plan' | 'organization' | 'service' | 'group' | 'rota' | 'source' | 'device' | 'person';

export interface Most {
  most: number;
  /** What they are counted in. */
  of: Owner;
  /** What there are so many of, and what to do where there are as many; or what gives way by itself. */
  sentence: string;
  /** Where they are stored; none: they are kept in memory alone. */
  table?: string;
}

export const MOSTS = {
  members: {
    of: 'organization',
    most: 5_000,
    sentence: message('An organization has at most {most} members: remove one who has left.'),
    table: 'membership',
  },
  invitations: {
    of: 'organization',
    most: 1_000,
    sentence: message(
      'An organization has at most {most} open invitations: withdraw one that is not answered.',
    ),
    table: 'invitation',
  },
  services: {
    of: 'organization',
    most: 100_000,
    sentence: message(
      'An organization has at most {most} services, archived ones included: give one that is archived another name and use it again.',
    ),
    table: 'service',
  },
  assets: {
    of: 'organization',
    most: 100_000,
    sentence: message('An organization has at most {most} assets: delete one that is not needed.'),
    table: 'asset',
  },
  locations: {
    of: 'organization',
    most: 10_000,
    sentence: message('An organization has at most {most} locations: delete one that is not needed.'),
    table: 'location',
  },
  devices: {
    of: 'organization',
    most: 200_000,
    sentence: message('An organization has at most {most} devices: delete one that is not needed.'),
    table: 'device',
  },
  waitingDevices: {
    of: 'organization',
    most: 1_000,
    sentence: message(
      'An organization has at most {most} devices that wait to be adopted: the one that was not heard for the longest time makes room.',
    ),
    table: 'waiting_device',
  },
  waitingReadings: {
    of: 'device',
    most: 500,
    sentence: message(
      'A device has at most {most} readings while it waits to be adopted: the oldest makes room.',
    ),
    table: 'waiting_reading',
  },
  channels: {
    of: 'service',
    most: 1_000,
    sentence: message('A service has at most {most} channels: make another service for the others.'),
    table: 'channel',
  },
  heardChannels: {
    of: 'service',
    most: 200,
    sentence: message(
      'A service has at most {most} channels where one more would join by itself: the reading is refused by name; pages and lab files may add it.',
    ),
    table: 'channel',
  },
  gateways: {
    of: 'service',
    most: 20,
    sentence: message('A service has at most {most} gateways that it is behind: take it from one of them.'),
    table: 'service_parent',
  },
  sources: {
    of: 'organization',
    most: 1_000,
    sentence: message(
      'An organization has at most {most} sources, each with one codec or mapping: revoke one that is not needed.',
    ),
    table: 'source',
  },
  announcements: {
    of: 'source',
    most: 2_000,
    sentence: message('A source has at most {most} announcements by MQTT: take some back.'),
    table: 'source_announcement',
  },
  refusals: {
    of: 'source',
    most: 50,
    sentence: message(
      'A source has at most {most} reasons that are kept why something was refused: the oldest makes room.',
    ),
    table: 'source_refusal',
  },
  movedPosts: {
    of: 'source',
    most: 1_000,
    sentence: message(
      'A source has at most {most} posts that are remembered because their times were moved: the oldest makes room.',
    ),
    table: 'moved_post',
  },
  wills: {
    of: 'source',
    most: 200,
    sentence: message(
      'A source has at most {most} last wills that wait: the oldest is taken before its time.',
    ),
  },
  willsInAll: {
    of: 'organization',
    most: 1_000,
    sentence: message(
      'An organization has at most {most} last wills that wait: the oldest is taken before its time.',
    ),
  },
  groups: {
    of: 'organization',
    most: 20_000,
    sentence: message(
      'An organization has at most {most} notification groups: delete one that is not needed.',
    ),
    table: 'notification_group',
  },
  steps: {
    of: 'group',
    most: 8,
    sentence: message('A group has at most {most} steps after the first: change one that is there.'),
    table: 'notification_group_step',
  },
  groupMembers: {
    of: 'group',
    most: 1_000,
    sentence: message(
      'A group has at most {most} members on its steps: remove somebody, or make another group.',
    ),
    table: 'notification_group_account',
  },
  groupEmails: {
    of: 'group',
    most: 1_000,
    sentence: message(
      'A group has at most {most} addresses on its steps: remove one, or write to a mailing list.',
    ),
    table: 'notification_group_email',
  },
  groupRotas: {
    of: 'group',
    most: 100,
    sentence: message('A group has at most {most} rotas on its steps: take one off.'),
    table: 'notification_group_rota',
  },
  webhooks: {
    of: 'organization',
    most: 1_000,
    sentence: message('An organization has at most {most} webhooks: remove one that is not needed.'),
    table: 'notification_group_webhook',
  },
  relays: {
    of: 'organization',
    most: 50,
    sentence: message('An organization has at most {most} sirens and lamps: remove one that is not needed.'),
    table: 'relay',
  },
  holidays: {
    of: 'organization',
    most: 1_000,
    sentence: message('An organization has at most {most} holidays: remove one that is over.'),
    table: 'holiday',
  },
  labHours: {
    of: 'organization',
    most: 14,
    sentence: message('An organization has at most {most} lines of lab hours: join two of them.'),
    table: 'lab_hours',
  },
  rotas: {
    of: 'organization',
    most: 50,
    sentence: message('An organization has at most {most} rotas: delete one that is not needed.'),
    table: 'rota',
  },
  rotaVersions: {
    of: 'rota',
    most: 1_000,
    sentence: message('A rota has at most {most} versions: make a new rota and delete this one.'),
    table: 'rota_version',
  },
  handovers: {
    of: 'rota',
    most: 6,
    sentence: message('A rota has at most {most} handovers a day: leave one out.'),
    table: 'rota_handover',
  },
  rotaMembers: {
    of: 'rota',
    most: 50,
    sentence: message('A rota has at most {most} people at each handover: make another rota for the others.'),
    table: 'rota_member',
  },
  standIns: {
    of: 'rota',
    most: 100,
    sentence: message('A rota has at most {most} stand-ins to come: end one that is not needed.'),
    table: 'rota_stand_in',
  },
  series: {
    of: 'organization',
    most: 500,
    sentence: message('An organization has at most {most} series of downtimes: end one that is not needed.'),
    table: 'downtime_series',
  },
  serviceSeries: {
    of: 'service',
    most: 20,
    sentence: message('A service has at most {most} series of downtimes: end one that is not needed.'),
    table: 'downtime_series',
  },
  downtimes: {
    of: 'service',
    most: 1_000,
    sentence: message(
      'A service has at most {most} downtimes that are not over, besides those of series: cancel one that is not needed.',
    ),
    table: 'downtime',
  },
  mutes: {
    of: 'service',
    most: 1_000,
    sentence: message('A service has at most {most} mutes that stand: unmute it first.'),
    table: 'mute',
  },
  floorPlans: {
    of: 'organization',
    most: 100,
    sentence: message('An organization has at most {most} floor plans: delete one that is not needed.'),
    table: 'floor_plan',
  },
  floorPlanMarkers: {
    of: 'floor plan',
    most: 200,
    sentence: message('A floor plan has at most {most} units: take some from it, or draw one for each room.'),
    table: 'floor_plan_marker',
  },
  unitNotes: {
    of: 'service',
    most: 2_000,
    sentence: message('A service has at most {most} notes on its chart: remove one that is not needed.'),
    table: 'unit_note',
  },
  walls: {
    of: 'organization',
    most: 100,
    sentence: message('An organization has at most {most} links to its wall: revoke one that is not needed.'),
    table: 'wall_link',
  },
  keptMails: {
    of: 'organization',
    most: 2_000,
    sentence: message('An organization has at most {most} kept mails: the oldest makes room.'),
    table: 'kept_mail',
  },
  contactMethods: {
    of: 'person',
    most: 10,
    sentence: message('A person has at most {most} contact methods: remove one that is not needed.'),
    table: 'contact_method',
  },
  passkeys: {
    of: 'person',
    most: 20,
    sentence: message('A person has at most {most} passkeys: remove one that is not needed.'),
    table: 'passkey',
  },
} as const satisfies Record<string, Most>;

export type MostName = keyof typeof MOSTS;

/** 100,000: as pages and documents write it. */
export const sayNumber = (number: number, { tag }: Language = english): string => number.toLocaleString(tag);

/** The one sentence for it, wherever it is refused. */
export function sayMost(name: MostName, language: Language = english): string {
  const { most, sentence } = MOSTS[name];
  return language.say(sentence, { most: sayNumber(most, language) });
}
