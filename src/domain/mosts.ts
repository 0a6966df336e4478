// How many of each there may be of what people, their sensors and their scripts can make. No honest laboratory meets these
// numbers; they are there so that nobody fills the house of others. docs/limits.md shows them.

type Owner = 'organization' | 'service' | 'group' | 'rota' | 'source' | 'device' | 'person';

export interface Most {
  most: number;
  /** What they are counted in. */
  of: Owner;
  /** What there are so many of, as people say it. */
  what: string;
  /** What to do where there are as many; or what gives way by itself. */
  full: string;
  /** Where they are stored; none: they are kept in memory alone. */
  table?: string;
}

export const MOSTS = {
  members: {
    of: 'organization',
    most: 5_000,
    what: 'members',
    full: 'remove one who has left',
    table: 'membership',
  },
  invitations: {
    of: 'organization',
    most: 1_000,
    what: 'open invitations',
    full: 'withdraw one that is not answered',
    table: 'invitation',
  },
  services: {
    of: 'organization',
    most: 100_000,
    what: 'services, archived ones included',
    full: 'give one that is archived another name and use it again',
    table: 'service',
  },
  assets: {
    of: 'organization',
    most: 100_000,
    what: 'assets',
    full: 'delete one that is not needed',
    table: 'asset',
  },
  locations: {
    of: 'organization',
    most: 10_000,
    what: 'locations',
    full: 'delete one that is not needed',
    table: 'location',
  },
  devices: {
    of: 'organization',
    most: 200_000,
    what: 'devices',
    full: 'delete one that is not needed',
    table: 'device',
  },
  waitingDevices: {
    of: 'organization',
    most: 1_000,
    what: 'devices that wait to be adopted',
    full: 'the one that was not heard for the longest time makes room',
    table: 'waiting_device',
  },
  waitingReadings: {
    of: 'device',
    most: 500,
    what: 'readings while it waits to be adopted',
    full: 'the oldest makes room',
    table: 'waiting_reading',
  },
  channels: {
    of: 'service',
    most: 1_000,
    what: 'channels',
    full: 'make another service for the others',
    table: 'channel',
  },
  heardChannels: {
    of: 'service',
    most: 200,
    what: 'channels where one more would join by itself',
    full: 'the reading is refused by name; pages and lab files may add it',
    table: 'channel',
  },
  gateways: {
    of: 'service',
    most: 20,
    what: 'gateways that it is behind',
    full: 'take it from one of them',
    table: 'service_parent',
  },
  sources: {
    of: 'organization',
    most: 1_000,
    what: 'sources, each with one codec or mapping',
    full: 'revoke one that is not needed',
    table: 'source',
  },
  announcements: {
    of: 'source',
    most: 2_000,
    what: 'announcements by MQTT',
    full: 'take some back',
    table: 'source_announcement',
  },
  refusals: {
    of: 'source',
    most: 50,
    what: 'reasons that are kept why something was refused',
    full: 'the oldest makes room',
    table: 'source_refusal',
  },
  movedPosts: {
    of: 'source',
    most: 1_000,
    what: 'posts that are remembered because their times were moved',
    full: 'the oldest makes room',
    table: 'moved_post',
  },
  wills: {
    of: 'source',
    most: 200,
    what: 'last wills that wait',
    full: 'the oldest is taken before its time',
  },
  willsInAll: {
    of: 'organization',
    most: 1_000,
    what: 'last wills that wait',
    full: 'the oldest is taken before its time',
  },
  groups: {
    of: 'organization',
    most: 20_000,
    what: 'notification groups',
    full: 'delete one that is not needed',
    table: 'notification_group',
  },
  steps: {
    of: 'group',
    most: 8,
    what: 'steps after the first',
    full: 'change one that is there',
    table: 'notification_group_step',
  },
  groupMembers: {
    of: 'group',
    most: 1_000,
    what: 'members on its steps',
    full: 'remove somebody, or make another group',
    table: 'notification_group_account',
  },
  groupEmails: {
    of: 'group',
    most: 1_000,
    what: 'addresses on its steps',
    full: 'remove one, or write to a mailing list',
    table: 'notification_group_email',
  },
  groupRotas: {
    of: 'group',
    most: 100,
    what: 'rotas on its steps',
    full: 'take one off',
    table: 'notification_group_rota',
  },
  webhooks: {
    of: 'organization',
    most: 1_000,
    what: 'webhooks',
    full: 'remove one that is not needed',
    table: 'notification_group_webhook',
  },
  relays: {
    of: 'organization',
    most: 50,
    what: 'sirens and lamps',
    full: 'remove one that is not needed',
    table: 'relay',
  },
  holidays: {
    of: 'organization',
    most: 1_000,
    what: 'holidays',
    full: 'remove one that is over',
    table: 'holiday',
  },
  labHours: {
    of: 'organization',
    most: 14,
    what: 'lines of lab hours',
    full: 'join two of them',
    table: 'lab_hours',
  },
  rotas: {
    of: 'organization',
    most: 50,
    what: 'rotas',
    full: 'delete one that is not needed',
    table: 'rota',
  },
  rotaVersions: {
    of: 'rota',
    most: 1_000,
    what: 'versions',
    full: 'make a new rota and delete this one',
    table: 'rota_version',
  },
  handovers: {
    of: 'rota',
    most: 6,
    what: 'handovers a day',
    full: 'leave one out',
    table: 'rota_handover',
  },
  rotaMembers: {
    of: 'rota',
    most: 50,
    what: 'people at each handover',
    full: 'make another rota for the others',
    table: 'rota_member',
  },
  standIns: {
    of: 'rota',
    most: 100,
    what: 'stand-ins to come',
    full: 'end one that is not needed',
    table: 'rota_stand_in',
  },
  series: {
    of: 'organization',
    most: 500,
    what: 'series of downtimes',
    full: 'end one that is not needed',
    table: 'downtime_series',
  },
  serviceSeries: {
    of: 'service',
    most: 20,
    what: 'series of downtimes',
    full: 'end one that is not needed',
    table: 'downtime_series',
  },
  downtimes: {
    of: 'service',
    most: 1_000,
    what: 'downtimes that are not over, besides those of series',
    full: 'cancel one that is not needed',
    table: 'downtime',
  },
  mutes: {
    of: 'service',
    most: 1_000,
    what: 'mutes that stand',
    full: 'unmute it first',
    table: 'mute',
  },
  walls: {
    of: 'organization',
    most: 100,
    what: 'links to its wall',
    full: 'revoke one that is not needed',
    table: 'wall_link',
  },
  keptMails: {
    of: 'organization',
    most: 2_000,
    what: 'kept mails',
    full: 'the oldest makes room',
    table: 'kept_mail',
  },
  contactMethods: {
    of: 'person',
    most: 10,
    what: 'contact methods',
    full: 'remove one that is not needed',
    table: 'contact_method',
  },
  passkeys: {
    of: 'person',
    most: 20,
    what: 'passkeys',
    full: 'remove one that is not needed',
    table: 'passkey',
  },
} as const satisfies Record<string, Most>;

export type MostName = keyof typeof MOSTS;

const withArticle = (owner: Owner): string => `${owner === 'organization' ? 'An' : 'A'} ${owner}`;

/** 100,000: as pages and documents write it. */
export const sayNumber = (number: number): string => number.toLocaleString('en-US');

/** The one sentence for it, wherever it is refused. */
export function sayMost(name: MostName): string {
  const { of, most: number, what, full } = MOSTS[name];
  return `${withArticle(of)} has at most ${sayNumber(number)} ${what}: ${full}.`;
}
