// What `tocsin doctor` asks beside the database: whether mail and the other ways to people would take a message now.
import {
  type DeliveryEnvironment,
  findInForce,
  type InForce,
} from '../../engine/delivery-settings/in-force.ts';
import { selectSealed, unsealAll } from '../../engine/delivery-settings/stored.ts';
import {
  askProviders,
  OWN_SERVER_KINDS,
  type OwnServer,
} from '../../engine/transports/method/ask-providers.ts';
import { openHouseKey } from '../../platform/auth/house-key.ts';
import type { Config } from '../../platform/config.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { tryConnection } from '../../platform/mail/try-connection.ts';
import { selectIsMailNeeded, selectOwnServers } from './queries.ts';

export interface WayAnswer {
  name: string;
  /** null: neither; it is not needed, or was not asked. */
  isWell: boolean | null;
  words: string;
}

type WaysConfig = DeliveryEnvironment &
  Pick<Config, 'key' | 'dataDir' | 'databaseUrl' | 'isPrivateWebhookAllowed'>;

const MOST_SERVERS = 20;

/** As the program that runs doctor would send. */
export async function readInForce(db: ReadDatabase, config: WaysConfig): Promise<InForce> {
  // Of a database that is older than the settings on pages, the environment says it all.
  const sealed = await selectSealed(db).catch(() => []);
  return findInForce(config, unsealAll(sealed, openHouseKey(config).read()));
}

/** Nobody gets a message by it. */
export async function askWays(db: ReadDatabase, config: WaysConfig, now: Date): Promise<WayAnswer[]> {
  const inForce = await readInForce(db, config);
  const [mail, servers] = await Promise.all([
    askMail(db, inForce),
    selectOwnServers(db, OWN_SERVER_KINDS, MOST_SERVERS),
  ]);
  const settings = { allowPrivate: config.isPrivateWebhookAllowed };
  return [mail, ...(await askProviders(inForce.providers, onePerHost(servers), settings, now))];
}

async function askMail(db: ReadDatabase, { mail: way }: InForce): Promise<WayAnswer> {
  if (way.kind === 'unread')
    return { name: 'mail', isWell: false, words: 'a mail server is set on pages, and its key is not here' };
  if (way.kind === 'server') {
    const { isReady, summary, answer } = await tryConnection(way.server);
    return { name: 'mail', isWell: isReady, words: answer === null ? summary : `${summary} (${answer})` };
  }
  const isNeeded = await selectIsMailNeeded(db);
  const words = 'no mail server is set up: mail is kept here, and does not leave';
  return isNeeded
    ? {
        name: 'mail',
        isWell: false,
        words: `${words}. Set one up, on pages or by SMTP_URL: somebody is to be told by mail`,
      }
    : { name: 'mail', isWell: null, words };
}

const onePerHost = (servers: readonly OwnServer[]): OwnServer[] => [
  ...new Map(
    servers
      .filter(({ address }) => URL.canParse(address))
      .map((server) => [`${server.kind} ${new URL(server.address).host}`, server]),
  ).values(),
];
