// What to do at a unit, as pages show it: in full, or as one line that leads there.
import type { ComponentChildren } from 'preact';
import {
  type FoundGuidance,
  GUIDANCE_FIELDS,
  type GuidanceField,
  type GuidanceLevel,
} from '../../domain/guidance/guidance.ts';
import { writeLine } from '../../domain/guidance/markdown.ts';
import { dialOf, readPhones } from '../../domain/guidance/phones.ts';
import { message } from '../../domain/language/message.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Markdown } from './markdown.tsx';

export const guidancePath = (serviceId: number): string => `/services/${serviceId}/what-to-do`;

const FROM = {
  template: message('From its template'),
  location: message('From its location'),
} as const satisfies Record<Exclude<GuidanceLevel, 'service'>, string>;

/** `shows`: the fields that are shown here, in their order. */
export const GuidanceFacts = ({
  found,
  shows,
}: {
  found: FoundGuidance;
  shows: readonly GuidanceField[];
}) => {
  const { say } = useLanguage();
  const said = shows.flatMap((field) => {
    const part = found[field];
    return part ? [{ field, ...part }] : [];
  });
  return (
    <dl class="facts guidance">
      {said.map(({ field, value, from }) => (
        <div key={field} class={field === 'whatToDo' || field === 'contents' ? 'wide' : undefined}>
          <dt>{say(GUIDANCE_FIELDS[field].title)}</dt>
          <dd>
            <Value field={field} value={value} />
            {from !== 'service' && <span class="guidance-from">{say(FROM[from])}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
};

const Value = ({ field, value }: { field: GuidanceField; value: string }): ComponentChildren => {
  if (field === 'whatToDo') return <Markdown text={value} />;
  if (field === 'phones') return <Phones text={value} />;
  return field === 'contents' ? <span class="as-typed">{value}</span> : value;
};

const Phones = ({ text }: { text: string }) => {
  const phones = readPhones(text);
  return (
    <ul class="phones">
      {(phones.ok ? phones.value : []).map((phone) => (
        <li key={dialOf(phone)}>
          {phone.name !== '' && `${phone.name} `}
          <a href={dialOf(phone)}>{phone.number}</a>
        </li>
      ))}
    </ul>
  );
};

const LONGEST_LINE = 120;

/** One line that leads to all of it; nothing where nobody said what to do. */
export const GuidanceLine = ({ serviceId, text }: { serviceId: number; text: string | null }) => {
  const { say } = useLanguage();
  return text === null ? null : (
    <a class="guidance-line" href={`/services/${serviceId}#what-to-do`}>
      {say('What to do: {text}', { text: writeLine(text, LONGEST_LINE) })}
    </a>
  );
};
