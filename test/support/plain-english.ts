// What a page says that was never said through a language, found by reading it in one that has no letter of English.
import sql, { raw } from 'sql-template-tag';
import { allLanguages, nameOfLanguage } from '../../src/platform/languages/languages.ts';
import type { TestServer } from './test-server.ts';

const TAG = /<(?:"[^"]*"|[^">])*>/g;
/** Samples of code, and what a browser does not show. */
const UNREAD = /<(code|pre|samp|kbd|script|style|template)\b(?:"[^"]*"|[^">])*>[\s\S]*?<\/\1>/g;
/** What is read out, or shown over something. */
const READ =
  /\s(?:aria-label|aria-description|aria-valuetext|title|alt|placeholder|label|content)="([^"]*)"/g;
const WORD = /[A-Za-z]{2,}/;

/** Of the whole page, its head too. */
function textsOf(html: string): string[] {
  const read = html.replaceAll(UNREAD, ' ').replaceAll(/<meta\b(?![^>]*name="description")[^>]*>/g, ' ');
  const attributes = [...read.matchAll(READ)].map(([, value = '']) => value);
  return [...attributes, ...read.split(TAG)].map(decode).filter((text) => WORD.test(text));
}

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What a file of a lab did is kept as the file says it; settings are shown as they are typed, and codes of a format as it has them. */
const SAMPLES = /^(file:|lab\.yaml|[+~] \w+ |units: \{|(json|form)$)/;
/** Of what is typed: `"gateway"`, `{"to": "{to}"}`. */
const TYPED = /\{".*"\}|"\w+"/g;

/** The audit log shows records by the names that programs give to their parts. */
export const withoutRecords = (html: string): string => html.replaceAll(/<tbody>[\s\S]*?<\/tbody>/g, ' ');

/** Names of products, protocols, units and codes are the same in all languages. */
const NAMES = [
  'Tocsin',
  'English',
  'node', 'UTC', 'SMS', 'MQTT', 'HTTP', 'HTTPS', 'JSON', 'CSV', 'API', 'URL', 'TLS', 'SMTP', 'PIN', 'ID', 'QR', 'Modbus', 'Bearer',
  'Prometheus', 'InfluxDB', 'OpenTelemetry', 'OTLP', 'Telegraf', 'Twilio', 'Vonage', 'Shelly', 'Slack', 'Discord', 'Teams', 'Microsoft',
  'Mattermost', 'Google', 'Chat', 'PagerDuty', 'Opsgenie', 'Telegram', 'ntfy', 'Pushover', 'Grafana', 'Zabbix', 'Home Assistant',
  'MessageBird', 'messagebird', 'sipgate', 'vonage', 'twilio', 'elks', 'custom',
  'Chromium', 'Node', 'PostgreSQL', 'Content-Type', 'GET', 'POST', 'PUT', 'hPa', 'ppm', 'GB', 'MB', 'kB', 'YAML', 'Firefox', 'Chrome', 'Safari',
]; // biome-ignore format: a list of names

/** Names of whatever the laboratory has; longer ones first. */
async function namesIn(server: TestServer): Promise<string[]> {
  const columns = await server.db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text'
      and column_name ~ '(^|_)(name|email|key|location|unit|serial|manufacturer|model|label|url|host|timezone|zone|sender|username|channel)$'`);
  const found = new Set<string>();
  for (const { table, column } of columns) {
    const rows = await server.db.query<{ value: string | null }>(
      sql`select distinct ${raw(`"${column}"`)} as value from ${raw(`"${table}"`)} limit 2000`,
    );
    for (const { value } of rows) if (value) found.add(value);
  }
  return [...found].sort((one, other) => other.length - one.length);
}

/** Tells whether a text has a word in it that is neither a name nor an address. */
export async function openFinder(
  server: TestServer,
  more: readonly string[] = [],
): Promise<(html: string) => string[]> {
  const languages = allLanguages().map(nameOfLanguage);
  const names = [
    ...(await namesIn(server)),
    ...languages,
    ...more,
    ...Intl.supportedValuesOf('timeZone'),
    ...NAMES,
  ];
  /** Most of a page stands on the page before. */
  const known = new Map<string, boolean>();
  const isPlain = (text: string): boolean => {
    const found = known.get(text) ?? hasPlainWord(text);
    known.set(text, found);
    return found;
  };
  const hasPlainWord = (text: string): boolean => {
    if (SAMPLES.test(text)) return false;
    let rest = text.replaceAll(TYPED, ' ');
    for (const name of names) rest = rest.replaceAll(name, ' ');
    rest = rest.replaceAll(/\S+@\S+|https?:\/\/\S+|\b\w+(\.\w+)+\b|\/[\w/.?=&-]+|\bv?\d[\w.:+-]*/g, ' ');
    return WORD.test(rest);
  };
  return (html) => [...new Set(textsOf(html).filter(isPlain))];
}
