import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { projectRoot } from './project-root.ts';
import { StartError } from './start-error.ts';

test('without any variable it is a service on loopback with its own database', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: null,
    directUrl: null,
    readUrl: null,
    publicUrl: null,
    tokenSecret: null,
    key: null,
    trustProxy: false,
    tls: null,
    connections: { inAll: 2_000, perAddress: 500 },
    requestTimeoutSeconds: 120,
    metrics: null,
    mqtt: null,
    brokers: [],
    advisor: 'builtin',
    llm: null,
    smtp: null,
    mailFrom: null,
    isPrivateWebhookAllowed: false,
    heartbeatUrl: null,
    retentionDays: null,
    logLevel: 'info',
    restart: 'true',
    watchdogMs: null,
  });
});

test('an empty variable counts as unset', () => {
  const empty = { PORT: '', HOST: '', DATABASE_URL: '', TOCSIN_SECRET: '', LOG_LEVEL: '' };
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test('trusted proxies are a list of addresses', () => {
  expect(readConfig({ TOCSIN_TRUST_PROXY: 'true' }).trustProxy).toBe('nearest');
  expect(readConfig({ TOCSIN_TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1']);
});

test('MQTT is listened for on the ports that are named, over TLS only with a certificate', () => {
  const plain = { host: '10.0.0.1', plainPort: 1883, tlsPort: null };
  expect(readConfig({ TOCSIN_MQTT_PORT: '1883', HOST: '10.0.0.1' }).mqtt).toEqual(plain);
  const elsewhere = { TOCSIN_MQTT_PORT: '1883', HOST: '10.0.0.1', TOCSIN_MQTT_HOST: '::' };
  expect(readConfig(elsewhere).mqtt).toEqual({ ...plain, host: '::' });
  expect(() => readConfig({ TOCSIN_MQTTS_PORT: '8883' })).toThrow(StartError);
});

test('brokers are followed by their addresses, each for a source', () => {
  const first = 'mqtts://u%40x:p@broker.lab.example?secret=a%20b&topics=zigbee2mqtt/%23,lab/%2B';
  const { brokers } = readConfig({ TOCSIN_MQTT_BROKERS: `${first} mqtt://10.0.0.2?secret=c&version=4` });
  expect(brokers).toMatchObject([
    {
      url: 'mqtts://broker.lab.example:8883',
      auth: { user: 'u@x', password: 'p' },
      secret: 'a b',
      topics: ['zigbee2mqtt/#', 'lab/+'],
      version: null,
      ca: null,
    },
    { url: 'mqtt://10.0.0.2:1883', auth: null, secret: 'c', version: 4 },
  ]);
  expect(brokers[1]?.topics).toContain('zigbee2mqtt/#');
});

test.each([
  ['https://broker?secret=geheim'],
  ['mqtt://broker/path?secret=geheim'],
  ['mqtt://broker'],
  ['mqtt://broker?secret=geheim&topic=a'],
  ['mqtt://broker?secret=geheim&version=3'],
  ['mqtt://broker?secret=geheim&cert=a.pem'],
  ['mqtt://%zz@broker?secret=geheim'],
])('%s is no broker, and nothing of it is repeated', (TOCSIN_MQTT_BROKERS) => {
  expect(() => readConfig({ TOCSIN_MQTT_BROKERS })).toThrow(/^TOCSIN_MQTT_BROKERS (?!.*geheim)/);
});

test('the llm advisor has an address, a model, perhaps a key, and a minute to answer', () => {
  const env = {
    TOCSIN_ADVISOR: 'llm',
    TOCSIN_LLM_URL: 'http://127.0.0.1:11434/v1',
    TOCSIN_LLM_MODEL: 'small',
  };
  expect(readConfig(env).llm).toEqual({
    url: new URL('http://127.0.0.1:11434/v1'),
    key: null,
    model: 'small',
    timeoutSeconds: 60,
  });
  expect(readConfig({ ...env, TOCSIN_LLM_KEY: 'sk-1', TOCSIN_LLM_TIMEOUT_SECONDS: '5' }).llm).toMatchObject({
    key: 'sk-1',
    timeoutSeconds: 5,
  });
  expect(readConfig({ ...env, TOCSIN_ADVISOR: 'external' }).llm).toBeNull();
});

test('a mail server is one URL; a password travels over TLS or within the machine only', () => {
  const smtpOf = (url: string) => readConfig({ SMTP_URL: url }).smtp;
  expect(smtpOf('smtps://vera%40lab:ge%3Aheim@mail.lab.example')).toEqual({
    host: 'mail.lab.example',
    port: 465,
    tls: 'from_start',
    auth: { user: 'vera@lab', password: 'ge:heim' },
    caFile: null,
    ca: null,
  });
  expect(smtpOf('smtp://mail.lab.example')).toMatchObject({ port: 587, tls: 'offered', auth: null });
  expect(smtpOf('smtp://u:p@mail.lab.example:25')).toMatchObject({ port: 25, tls: 'required' });
  expect(smtpOf('smtp://u:p@127.0.0.1:2525')).toMatchObject({ port: 2525, tls: 'offered' });
  expect(smtpOf('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 });
});

test.each([
  [{ MAIL_FROM: 'Cold Watch <watch@lab.example>' }, { name: 'Cold Watch', address: 'watch@lab.example' }],
  [{ MAIL_FROM: 'watch@lab.example' }, { name: null, address: 'watch@lab.example' }],
  [{ TOCSIN_PUBLIC_URL: 'https://tocsin.lab.example:8443/' }, null],
])('%o sends mail from %o', (env, from) => expect(readConfig(env).mailFrom).toEqual(from));

test('webhooks go to private addresses only where that is allowed', () => {
  const isAllowed = (text: string) => readConfig({ TOCSIN_WEBHOOK_PRIVATE: text }).isPrivateWebhookAllowed;
  expect(['true', 'false', ''].map(isAllowed)).toEqual([true, false, false]);
});

test.each([
  [{ PORT: '80a' }, 'PORT must be a whole number from 0 to 65535, not "80a"'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, not "65536"'],
  [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535, not "-1"'],
  [{ TOCSIN_RETENTION_DAYS: '0' }, 'TOCSIN_RETENTION_DAYS must be a whole number from 1 to 3660, not "0"'],
  [
    { DATABASE_URL: 'mysql://u:geheim@h/d' },
    'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
  ],
  [
    { TOCSIN_PUBLIC_URL: 'tocsin.lab' },
    'TOCSIN_PUBLIC_URL must be a URL that starts with http:// or https://',
  ],
  [{ TOCSIN_SECRET: 'short' }, 'TOCSIN_SECRET must be at least 32 characters long'],
  [
    { TOCSIN_TRUST_PROXY: 'yes please' },
    'TOCSIN_TRUST_PROXY must be true, false or a list of addresses, not "yes please"',
  ],
  [{ TOCSIN_TLS_CERT: 'cert.pem' }, 'TOCSIN_TLS_CERT and TOCSIN_TLS_KEY must be set together'],
  [
    { TOCSIN_HEARTBEAT_URL: 'hc.example/geheim' },
    'TOCSIN_HEARTBEAT_URL must be a URL that starts with http:// or https://',
  ],
  [
    { TOCSIN_DIRECT_URL: 'postgres://db.example/tocsin' },
    'TOCSIN_DIRECT_URL goes with a DATABASE_URL that leads through a pooler',
  ],
  [{ TOCSIN_ADVISOR: 'oracle' }, 'TOCSIN_ADVISOR must be one of builtin, llm, external, not "oracle"'],
  [{ TOCSIN_ADVISOR: 'llm' }, 'TOCSIN_ADVISOR=llm needs TOCSIN_LLM_URL and TOCSIN_LLM_MODEL to be set'],
  [
    { TOCSIN_ADVISOR: 'llm', TOCSIN_LLM_URL: 'https://llm.example/v1' },
    'TOCSIN_ADVISOR=llm needs TOCSIN_LLM_URL and TOCSIN_LLM_MODEL to be set',
  ],
  [{ TOCSIN_LLM_URL: 'llm.example' }, 'TOCSIN_LLM_URL must be a URL that starts with http:// or https://'],
  [
    { TOCSIN_LLM_URL: 'https://me:geheim@llm.example/v1' },
    'TOCSIN_LLM_URL must not carry a user or a password; set TOCSIN_LLM_KEY',
  ],
  [{ TOCSIN_LLM_KEY: 'ge\nheim' }, 'TOCSIN_LLM_KEY must consist of printable characters without spaces'],
  [
    { TOCSIN_LLM_TIMEOUT_SECONDS: '301' },
    'TOCSIN_LLM_TIMEOUT_SECONDS must be a whole number from 1 to 300, not "301"',
  ],
  [{ SMTP_URL: 'mail.lab.example:25' }, 'SMTP_URL must be a URL that starts with smtp:// or smtps://'],
  [{ SMTP_URL: 'smtp://:geheim@mail' }, 'SMTP_URL must have a user and a password, or neither'],
  [{ SMTP_URL: 'smtp://mail/inbox' }, 'SMTP_URL must not have a path'],
  [{ SMTP_URL: 'smtp://mail?verify=no' }, 'SMTP_URL has an unknown option; the only one is ca'],
  [{ SMTP_URL: 'smtp:///' }, 'SMTP_URL names no host'],
  [{ SMTP_URL: 'smtp://u:%zz@mail' }, 'SMTP_URL has a user or password that is not encoded like a URL'],
  [{ MAIL_FROM: 'Tocsin' }, 'MAIL_FROM must be an address such as Tocsin <tocsin@lab.example>'],
  [{ MAIL_FROM: 'a@b>\r\nBcc: <x@y' }, 'MAIL_FROM must be an address such as Tocsin <tocsin@lab.example>'],
  [{ TOCSIN_WEBHOOK_PRIVATE: 'yes' }, 'TOCSIN_WEBHOOK_PRIVATE must be one of true, false, not "yes"'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
  ],
])('%o stops the start with one line', (env, line) => {
  expect(() => readConfig(env)).toThrow(new StartError(line));
});

test('a TLS file that cannot be read is named', () => {
  expect(() => readConfig({ TOCSIN_TLS_CERT: '/nowhere/c', TOCSIN_TLS_KEY: '/nowhere/k' })).toThrow(
    /^TOCSIN_TLS_CERT names a file that cannot be read/,
  );
});

test('a certificate authority that cannot be read is named', () => {
  expect(() => readConfig({ SMTP_URL: 'smtps://mail?ca=/nowhere/ca.pem' })).toThrow(
    /^ca of SMTP_URL names a file that cannot be read/,
  );
});

test('the README lists exactly the variables that are read', () => {
  const source = readFileSync(join(projectRoot, 'src/platform/config.ts'), 'utf8');
  const names = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  const read = names(
    source,
    /\b((?:TOCSIN_[A-Z_]*[A-Z])|PORT|HOST|DATABASE_URL|LOG_LEVEL|SMTP_URL|MAIL_FROM|WATCHDOG_USEC)\b/g,
  );
  const listed = names(readFileSync(join(projectRoot, 'README.md'), 'utf8'), /^\| `([A-Z_]+)` \|/gm);
  expect(listed).toEqual(read);
});
