// Every environment variable the program reads, and nothing else reads one. The README's table lists the same names.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MailAddress } from './mail/mail.ts';
import { readMailAddress } from './mail/read-mail-address.ts';
import { readSmtpUrl, type SmtpServer } from './mail/read-smtp-url.ts';
import { type BrokerAddress, readBrokerUrl } from './read-broker-url.ts';
import { StartError } from './start-error.ts';

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | null;
  /** Past the pooler in transaction mode that `databaseUrl` leads through; null: there is none. */
  directUrl: string | null;
  /** A replica for what may be a little old; null: there is none. */
  readUrl: string | null;
  /** null: as keepers set it on pages. */
  publicUrl: URL | null;
  tokenSecret: Buffer | null;
  /** To what keepers set on pages; null: a file in the data folder holds it. */
  key: Buffer | null;
  /** The proxies that are believed: none, the nearest one whoever it is, or these addresses. */
  trustProxy: false | 'nearest' | string[];
  tls: { cert: Buffer; key: Buffer } | null;
  connections: { inAll: number; perAddress: number };
  /** That a request may take to arrive. */
  requestTimeoutSeconds: number;
  metrics: { host: string; port: number } | null;
  /** Where devices and bridges bring messages of MQTT; null: nowhere. */
  mqtt: { host: string; tlsPort: number | null; plainPort: number | null } | null;
  /** That are followed as a client. */
  brokers: BrokerConfig[];
  advisor: (typeof ADVISORS)[number];
  /** Only when the advisor is `llm`. */
  llm: LlmConfig | null;
  /** null: as keepers set it on pages. */
  smtp: (SmtpServer & { ca: Buffer | null }) | null;
  /** null: it is not said. */
  mailFrom: MailAddress | null;
  /** What is said of the services by which persons are told beside mail, unread; null: nothing. */
  channelsFile: string | null;
  /** Webhooks may go to loopback and private addresses. */
  isPrivateWebhookAllowed: boolean;
  /** Called every minute while all is well; a secret of its own. */
  heartbeatUrl: URL | null;
  /** Readings are kept no longer, whatever organizations say; null: as they say. */
  retentionDays: number | null;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Whether a parent begins the program again when it dies; `parent`: it did, and set this itself. */
  restart: (typeof RESTARTS)[number];
  /** systemd wants to hear from the program in so much time; null: it does not. */
  watchdogMs: number | null;
}

export interface BrokerConfig extends Omit<BrokerAddress, 'caFile' | 'certFile' | 'keyFile'> {
  ca: Buffer | null;
  cert: Buffer | null;
  key: Buffer | null;
}

/** Where an OpenAI-compatible interface answers. */
export interface LlmConfig {
  /** What `/chat/completions` is appended to. */
  url: URL;
  key: string | null;
  model: string;
  timeoutSeconds: number;
}

const ADVISORS = ['builtin', 'llm', 'external'] as const;
const RESTARTS = ['true', 'false', 'parent'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type Environment = Record<string, string | undefined>;

export function readConfig(env: Environment): Config {
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env, 'PORT') ?? 8080,
    dataDir: resolve(env.TOCSIN_DATA || 'data'),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href ?? null,
    directUrl: readDirectUrl(env),
    readUrl: readReadUrl(env),
    publicUrl: readUrl(env, 'TOCSIN_PUBLIC_URL', ['http:', 'https:']),
    tokenSecret: readSecret(env, 'TOCSIN_SECRET'),
    key: readSecret(env, 'TOCSIN_KEY'),
    trustProxy: readTrustProxy(env),
    tls: readTls(env),
    connections: {
      inAll: readWholeNumber(env, 'TOCSIN_MAX_CONNECTIONS', 10, 1_000_000) ?? 2_000,
      perAddress: readWholeNumber(env, 'TOCSIN_MAX_CONNECTIONS_PER_ADDRESS', 10, 1_000_000) ?? 500,
    },
    requestTimeoutSeconds: readWholeNumber(env, 'TOCSIN_REQUEST_TIMEOUT_SECONDS', 1, 3_600) ?? 120,
    metrics: readMetrics(env),
    mqtt: readMqtt(env),
    brokers: readBrokers(env),
    advisor: readChoice(env, 'TOCSIN_ADVISOR', ADVISORS) ?? 'builtin',
    llm: readLlm(env),
    smtp: readSmtp(env),
    mailFrom: readMailFrom(env),
    channelsFile: readChannelsFile(env),
    isPrivateWebhookAllowed: readChoice(env, 'TOCSIN_WEBHOOK_PRIVATE', ['true', 'false']) === 'true',
    heartbeatUrl: readUrl(env, 'TOCSIN_HEARTBEAT_URL', ['http:', 'https:']),
    retentionDays: readWholeNumber(env, 'TOCSIN_RETENTION_DAYS', 1, 3_660) ?? null,
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    restart: readChoice(env, 'TOCSIN_RESTART', RESTARTS) ?? 'true',
    watchdogMs: readWatchdog(env),
  };
}

function readWholeNumber(env: Environment, name: string, lowest: number, highest: number): number | null {
  const text = env[name];
  if (!text) return null;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < lowest || number > highest) {
    throw new StartError(`${name} must be a whole number from ${lowest} to ${highest}, not "${text}"`);
  }
  return number;
}

const readWatchdog = (env: Environment): number | null => {
  const microseconds = readWholeNumber(env, 'WATCHDOG_USEC', 1, Number.MAX_SAFE_INTEGER);
  return microseconds && microseconds / 1000;
};

const readPort = (env: Environment, name: string) => readWholeNumber(env, name, 0, 65_535);

function readChoice<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = env[name];
  if (!text) return null;
  const choice = choices.find((known) => known === text);
  if (!choice) throw new StartError(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
  return choice;
}

/** The value itself is never repeated in the error: a URL may carry a password. */
function readUrl(env: Environment, name: string, protocols: string[]): URL | null {
  const text = env[name];
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !protocols.includes(url.protocol)) {
    throw new StartError(
      `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
  }
  return url;
}

function readDirectUrl(env: Environment): string | null {
  const url = readUrl(env, 'TOCSIN_DIRECT_URL', ['postgres:', 'postgresql:']);
  if (url && !env.DATABASE_URL)
    throw new StartError('TOCSIN_DIRECT_URL goes with a DATABASE_URL that leads through a pooler');
  return url?.href ?? null;
}

function readReadUrl(env: Environment): string | null {
  const url = readUrl(env, 'TOCSIN_READ_URL', ['postgres:', 'postgresql:']);
  if (url && !env.DATABASE_URL) throw new StartError('TOCSIN_READ_URL needs DATABASE_URL: its replica');
  return url?.href ?? null;
}

function readSecret(env: Environment, name: string): Buffer | null {
  const text = env[name];
  if (!text) return null;
  const secret = Buffer.from(text, 'utf8');
  if (secret.length < 32) throw new StartError(`${name} must be at least 32 characters long`);
  return secret;
}

function readTrustProxy(env: Environment): Config['trustProxy'] {
  const text = env.TOCSIN_TRUST_PROXY;
  if (!text || text === 'false') return false;
  if (text === 'true') return 'nearest';
  const addresses = text.split(',').map((address) => address.trim());
  const wrong = addresses.find(
    (address) => !/^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(\/[0-9.]+)?)$/.test(address),
  );
  if (wrong !== undefined) {
    throw new StartError(`TOCSIN_TRUST_PROXY must be true, false or a list of addresses, not "${text}"`);
  }
  return addresses;
}

function readTls(env: Environment): Config['tls'] {
  const { TOCSIN_TLS_CERT: cert, TOCSIN_TLS_KEY: key } = env;
  if (!cert && !key) return null;
  if (!cert || !key) throw new StartError('TOCSIN_TLS_CERT and TOCSIN_TLS_KEY must be set together');
  return { cert: readNamedFile('TOCSIN_TLS_CERT', cert), key: readNamedFile('TOCSIN_TLS_KEY', key) };
}

function readNamedFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${name} names a file that cannot be read: ${(error as Error).message}`);
  }
}

function readMetrics(env: Environment): Config['metrics'] {
  const port = readPort(env, 'TOCSIN_METRICS_PORT');
  return port === null ? null : { host: env.TOCSIN_METRICS_HOST || '127.0.0.1', port };
}

function readMqtt(env: Environment): Config['mqtt'] {
  const tlsPort = readPort(env, 'TOCSIN_MQTTS_PORT');
  const plainPort = readPort(env, 'TOCSIN_MQTT_PORT');
  if (tlsPort !== null && !env.TOCSIN_TLS_CERT)
    throw new StartError('TOCSIN_MQTTS_PORT needs TOCSIN_TLS_CERT and TOCSIN_TLS_KEY to be set');
  if (tlsPort === null && plainPort === null) return null;
  return { host: env.TOCSIN_MQTT_HOST || env.HOST || '127.0.0.1', tlsPort, plainPort };
}

/** Addresses between spaces; none is repeated in an error, for each carries secrets. */
function readBrokers(env: Environment): BrokerConfig[] {
  const name = 'TOCSIN_MQTT_BROKERS';
  const read = (file: string | null, option: string) =>
    file === null ? null : readNamedFile(`${option} of ${name}`, file);
  return (env[name] ?? '')
    .split(/\s+/)
    .filter((text) => text !== '')
    .map((text) => {
      const url = readUrl({ [name]: text }, name, ['mqtt:', 'mqtts:']);
      const broker = url && readBrokerUrl(url);
      if (broker === null || typeof broker === 'string') throw new StartError(`${name} ${broker}`);
      const { caFile, certFile, keyFile, ...rest } = broker;
      return { ...rest, ca: read(caFile, 'ca'), cert: read(certFile, 'cert'), key: read(keyFile, 'key') };
    });
}

/** Neither the key nor the address is repeated in an error: both may be secret. */
function readLlm(env: Environment): LlmConfig | null {
  const url = readUrl(env, 'TOCSIN_LLM_URL', ['http:', 'https:']);
  const timeoutSeconds = readWholeNumber(env, 'TOCSIN_LLM_TIMEOUT_SECONDS', 1, 300) ?? 60;
  const { TOCSIN_LLM_KEY: key, TOCSIN_LLM_MODEL: model } = env;
  if (url && (url.username || url.password))
    throw new StartError('TOCSIN_LLM_URL must not carry a user or a password; set TOCSIN_LLM_KEY');
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new StartError('TOCSIN_LLM_KEY must consist of printable characters without spaces');
  if (env.TOCSIN_ADVISOR !== 'llm') return null;
  if (!url || !model)
    throw new StartError('TOCSIN_ADVISOR=llm needs TOCSIN_LLM_URL and TOCSIN_LLM_MODEL to be set');
  return { url, key: key || null, model, timeoutSeconds };
}

function readChannelsFile(env: Environment): string | null {
  const path = env.TOCSIN_CHANNELS;
  return path ? readNamedFile('TOCSIN_CHANNELS', path).toString('utf8') : null;
}

function readSmtp(env: Environment): Config['smtp'] {
  const url = readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  if (!url) return null;
  const server = readSmtpUrl(url);
  if (typeof server === 'string') throw new StartError(`SMTP_URL ${server}`);
  return { ...server, ca: server.caFile === null ? null : readNamedFile('ca of SMTP_URL', server.caFile) };
}

function readMailFrom(env: Environment): MailAddress | null {
  if (!env.MAIL_FROM) return null;
  const from = readMailAddress(env.MAIL_FROM);
  if (!from) throw new StartError('MAIL_FROM must be an address such as Tocsin <tocsin@lab.example>');
  return from;
}
