// A record as a sentence, with what it holds besides.
import type { ComponentChildren, VNode } from 'preact';
import { formatInstant } from '../../domain/instant.ts';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { AUDIT_SENTENCES, type AuditAction, isAuditAction } from '../../domain/words/audit-words.ts';
import type { Reader, ShownTime } from '../../platform/html/time.tsx';
import { type DetailLine, describeDetail } from './describe-detail.ts';
import type { AuditRow } from './queries.ts';

export interface RecordModel {
  id: string;
  /** In full, with the zone: what is on record is read years later, too. */
  at: ShownTime;
  /** null: a program of another version wrote it, or one that is not known here. */
  sentence: ComponentChildren;
  /** null: the sentence names whoever did it, and the unit. */
  who: string | null;
  unit: VNode | null;
  action: string;
  lines: DetailLine[];
  address: string | null;
}

/** What a record is about, by whichever of these it has. */
const NAMED_BY = ['name', 'key', 'setting', 'passkey', 'channel', 'kind', 'day', 'email'];
const PEOPLE_BY = ['email', 'name'];

export function describeRecord(row: AuditRow, reader: Reader): RecordModel {
  const { say } = reader.language;
  const time = formatLocalTime(row.happenedAt, reader.timezone);
  const who = row.accountName ?? say('Somebody');
  const unit = drawUnit(row, reader.language);
  const action = isAuditAction(row.action) ? row.action : null;
  const message: string = action === null ? '' : AUDIT_SENTENCES[action];
  const [named, person] = [find(row.detail, NAMED_BY), find(row.detail, PEOPLE_BY)];
  const used = [message.includes('{name}') && named?.key, message.includes('{email}') && person?.key];
  const other = sayOther(row.detail, reader.language);
  return {
    id: row.id,
    at: { iso: formatInstant(row.happenedAt), label: time, title: time },
    sentence:
      action &&
      writeSentence(action, reader.language, {
        who: <strong>{who}</strong>,
        unit: unit ?? say('a unit'),
        name: named?.text ?? other,
        email: person?.text ?? other,
      }),
    who: message.includes('{who}') ? null : who,
    unit: message.includes('{unit}') ? null : unit,
    action: row.action,
    lines: describeDetail(
      Object.fromEntries(Object.entries(row.detail).filter(([key]) => !used.includes(key))),
      reader,
    ),
    address: row.address,
  };
}

type Facts = Record<'who' | 'unit' | 'name' | 'email', VNode | string>;

/** Whatever the act: none asks for other facts. */
const writeSentence = (action: AuditAction, { sayParts }: Language, facts: Facts): (VNode | string)[] =>
  sayParts<AnySentence, VNode>(AUDIT_SENTENCES[action] as AnySentence, facts);

type AnySentence = '{who} {unit} {name} {email}';

/** The act with its blanks left open, to choose from. */
export const nameAction = (action: string, language: Language): string =>
  isAuditAction(action)
    ? writeSentence(action, language, { who: '…', unit: '…', name: '…', email: '…' }).join('')
    : action;

function find(
  detail: Record<string, unknown>,
  keys: readonly string[],
): { key: string; text: string } | null {
  for (const key of keys) {
    const text = detail[key];
    if (typeof text === 'string' && text !== '') return { key, text };
  }
  return null;
}

const sayOther = ({ account }: Record<string, unknown>, { say }: Language): string =>
  typeof account === 'number' ? say('account {id}', { id: String(account) }) : '–';

const drawUnit = (
  { serviceId, serviceName, isServiceArchived }: AuditRow,
  { say }: Language,
): VNode | null => {
  if (serviceId === null) return null;
  const name = serviceName ?? say('service {id}', { id: String(serviceId) });
  return isServiceArchived ? <span>{name}</span> : <a href={`/services/${serviceId}`}>{name}</a>;
};
