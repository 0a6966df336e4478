// What a record holds beside its name, as lines for people.
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { AUDIT_LABELS } from '../../domain/words/audit-labels.ts';
import { withTrueMinus } from '../../domain/words/say-value.ts';
import type { Reader } from '../../platform/html/time.tsx';

export interface DetailLine {
  label: string;
  text: string;
}

/** `before` and `after` become one line with an arrow; what is nested is named with its way down to it. */
export function describeDetail(
  detail: Record<string, unknown>,
  { timezone, language }: Pick<Reader, 'timezone' | 'language'>,
): DetailLine[] {
  const lines = Object.entries(detail).flatMap(([name, value]) =>
    name === 'changes'
      ? describeChanges(value, language)
      : describeValue(labelOf(name, language), value, language),
  );
  const sayWhen = (instant: string) =>
    Number.isNaN(Date.parse(instant)) ? instant : formatLocalTime(new Date(instant), timezone);
  return lines.map(({ label, text }) => ({ label, text: text.replaceAll(INSTANT, sayWhen) }));
}

/** Records hold times as programs write them. */
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;

function describeChanges(changes: unknown, language: Language): DetailLine[] {
  const label = language.say('changed');
  if (Array.isArray(changes))
    return changes.map((change) => ({ label, text: withTrueMinus(show(change, language)) }));
  return isObject(changes)
    ? Object.entries(changes).flatMap(([name, change]) =>
        describeValue(labelOf(name, language), change, language),
      )
    : describeValue(label, changes, language);
}

function describeValue(label: string, value: unknown, language: Language): DetailLine[] {
  if (isChange(value)) return describeChange(label, value, language);
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, part]) =>
      describeValue(`${label}, ${labelOf(name, language)}`, part, language),
    );
  return [{ label, text: show(value, language) }];
}

/** Of something with parts, such as a band, only the parts that differ. */
function describeChange(
  label: string,
  { before, after }: { before: unknown; after: unknown },
  language: Language,
): DetailLine[] {
  if (!isObject(before) && !isObject(after))
    return [
      {
        label,
        text: language.say('{before} → {after}', {
          before: show(before, language),
          after: show(after, language),
        }),
      },
    ];
  const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const differing = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  return differing.flatMap((name) =>
    describeChange(`${label}, ${labelOf(name, language)}`, { before: old[name], after: now[name] }, language),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isChange = (value: unknown): value is { before: unknown; after: unknown } =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => name === 'before' || name === 'after');

const labelOf = (key: string, { say }: Language): string => {
  const name = nameOf(key);
  return Object.hasOwn(AUDIT_LABELS, name) ? say(AUDIT_LABELS[name as keyof typeof AUDIT_LABELS]) : name;
};

const nameOf = (key: string): string =>
  /[a-z]/.test(key)
    ? key
        .replaceAll('_', ' ')
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
    : key;

function show(value: unknown, language: Language): string {
  const { say } = language;
  if (value === null || value === undefined || value === '') return say('none');
  if (value === true) return say('yes');
  if (value === false) return say('no');
  if (Array.isArray(value))
    return value.length === 0 ? say('none') : value.map((one) => show(one, language)).join(', ');
  if (typeof value === 'number') return withTrueMinus(String(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
