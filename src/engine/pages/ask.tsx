// The question before an act that hurts: what stops working, for whom, from when. It stands on a page of its own.

import type { ComponentChildren, VNode } from 'preact';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { isStorable } from '../../domain/storable-text.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { Loss } from '../outbox/foresee-loss.ts';
import { Page } from './page.tsx';
import type { Visitor } from './visitor.ts';

export interface ActQuestion {
  /** The act, as its button names it: *Delete Cold team*. */
  act: string;
  /** What stops working, for whom, from when. */
  says: readonly ComponentChildren[];
  /** Whether it can be undone afterwards. */
  canUndo: boolean;
}

export interface AskProps {
  question: ActQuestion;
  /** Whom it would leave without a message, or without anything to begin from. */
  losses: readonly Loss[];
  /** Where the act is, and what its form says. */
  action: string;
  form: FormFields;
  /** Where it was pressed. */
  back: string;
}

const WORDS = {
  group: message(
    '<strong>{name}</strong>, {services, plural, one {# service} other {# services}}: nobody is notified of them any more: no group is chosen.',
  ),
  always: message(
    '<strong>{name}</strong>, {services, plural, one {# service} other {# services}}: a critical alarm reaches nobody of the group; administrators are notified instead.',
  ),
  sometimes: message(
    '<strong>{name}</strong>, {services, plural, one {# service} other {# services}}: at some hours of the next week a critical alarm reaches nobody of the group; administrators are notified instead.',
  ),
  only_mail: message(
    '<strong>{name}</strong>, {services, plural, one {# service} other {# services}}: at some hours of the next week, outside lab hours, a critical alarm reaches the group by mail only.',
  ),
  source: message(
    '<strong>{name}</strong>, {services, plural, one {# service} other {# services}}: nothing is heard of them any more; no alarm can begin, and after a while they count as stale.',
  ),
} as const satisfies Record<Loss['kind'], string>;

export const sayQuestion = ({ act }: ActQuestion, { say }: Language): string =>
  // For translators: the question before an act; {act} is what stands on its button, such as Delete Cold team
  say('{act}?', { act });

export const Ask = ({ question, losses, action, form, back }: AskProps): VNode => {
  const { say } = useLanguage();
  return (
    <div class="ask">
      {losses.length > 0 && <Losses losses={losses} />}
      <ul class="ask-says">
        {question.says.map((sentence, index) => (
          <li key={index}>{sentence}</li>
        ))}
        <li>{question.canUndo ? say('It can be undone.') : say('It cannot be undone.')}</li>
      </ul>
      <form class="actions" method="post" action={action}>
        {Object.entries(form).map(
          ([name, value]) =>
            value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <input type="hidden" name="sure" value="yes" />
        <a class="button" href={back}>
          {say('Leave it as it is')}
        </a>
        <button type="submit" class="button-danger">
          {question.act}
        </button>
      </form>
    </div>
  );
};

const Losses = ({ losses }: Pick<AskProps, 'losses'>) => {
  const language = useLanguage();
  return (
    <>
      <Notice kind="error">{language.say('After this, alarms do not reach people as they do now:')}</Notice>
      <ul class="rows">
        {losses.map(({ name, services, kind }) => (
          <li key={`${kind} ${name}`}>
            <div>
              {sayWith(language, WORDS[kind], {
                name,
                services,
                strong: (inside) => <strong>{inside}</strong>,
              })}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Where it is no page of the settings. */
export const AskPage = ({ visitor, current, ...asked }: AskProps & { visitor: Visitor; current: string }) => {
  const title = sayQuestion(asked.question, useLanguage());
  return (
    <Page title={title} visitor={visitor} current={current}>
      <div class="narrow">
        <h1>{title}</h1>
        <Ask {...asked} />
      </div>
    </Page>
  );
};

/** What the form of the act will say stands in the address of its question. null: it holds what no form can. */
export function readAskedForm({
  organization: _,
  ...form
}: Record<string, string | undefined>): FormFields | null {
  const said = Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return Object.values(said).every(isStorable) ? said : null;
}

interface AskLinkProps {
  /** The address of the act, whose question stands at the same one. */
  to: string;
  /** What the form of the act will say. */
  hidden?: Record<string, string | number>;
  /** The same as what stands on it, with what it is about. */
  label?: string;
  isQuiet?: boolean;
  children: ComponentChildren;
}

/** Stands where the button of the act would, and leads to its question. */
export const AskLink = ({ to, hidden = {}, label, isQuiet = false, children }: AskLinkProps) => {
  const words = new URLSearchParams(Object.entries(hidden).map(([name, value]) => [name, String(value)]));
  const address = words.size === 0 ? to : `${to}${to.includes('?') ? '&' : '?'}${words}`;
  return (
    <a class={isQuiet ? 'button' : 'button button-danger'} href={address} aria-label={label}>
      {children}
    </a>
  );
};
