// The question before a change that leaves alarms without anybody to tell, or without anything to begin from.

import type { VNode } from 'preact';
import { message } from '../../domain/language/message.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { Loss } from '../outbox/foresee-loss.ts';

interface AskFirstProps {
  losses: readonly Loss[];
  /** Where the form leads that was sent, and what it said. */
  action: string;
  form: FormFields;
  /** The page with the form. */
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

export const ASK_FIRST_TITLE = message('Who would not be notified');

export const AskFirst = ({ losses, action, form, back }: AskFirstProps): VNode => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <Notice kind="error">{say('After this, alarms do not reach people as they do now:')}</Notice>
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
          {say('Do it all the same')}
        </button>
      </form>
    </>
  );
};
