// The question before a change that leaves alarms without anybody to tell.
import { Notice } from '../../platform/html/notice.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { Loss } from '../outbox/foresee-loss.ts';
import { type SettingsFrame, SettingsPage } from './settings-page.tsx';

interface AskFirstProps {
  frame: SettingsFrame;
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
};

export const AskFirstPage = ({ frame, losses, action, form, back }: AskFirstProps) => (
  <SettingsPage title="Who would not be told" frame={frame} current={back}>
    <Notice kind="error">This leaves alarms without anybody who is told:</Notice>
    <ul class="rows">
      {losses.map(({ groupName, services, kind }) => (
        <li key={groupName}>
          <div>
            <strong>{groupName}</strong>, {services === 1 ? '1 service' : `${services} services`}:{' '}
            {WORDS[kind]}
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
  </SettingsPage>
);
