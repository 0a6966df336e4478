// The question before a change that leaves alarms without anybody to tell, or without anything to begin from.
import type { VNode } from 'preact';
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

const WORDS: Record<Loss['kind'], string> = {
  group: 'nobody is told of them any more: no group is chosen.',
  always: 'a critical alarm reaches nobody of the group; administrators are told instead.',
  sometimes:
    'at some hours of the next week a critical alarm reaches nobody of the group; administrators are told instead.',
  only_mail:
    'at some hours of the next week, outside lab hours, a critical alarm reaches the group by mail only.',
  source: 'nothing is heard of them any more; no alarm can begin, and after a while they count as stale.',
};

export const ASK_FIRST_TITLE = 'Who would not be told';

export const AskFirst = ({ losses, action, form, back }: AskFirstProps): VNode => (
  <>
    <Notice kind="error">After this, alarms do not reach people as they do now:</Notice>
    <ul class="rows">
      {losses.map(({ name, services, kind }) => (
        <li key={`${kind} ${name}`}>
          <div>
            <strong>{name}</strong>, {services === 1 ? '1 service' : `${services} services`}: {WORDS[kind]}
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
        Leave it as it is
      </a>
      <button type="submit" class="button-danger">
        Do it all the same
      </button>
    </form>
  </>
);
