import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

interface MailListProps {
  frame: SettingsFrame;
  mails: Omit<MailProps, 'frame' | 'text'>[];
  hasMailServer: boolean;
  most: number;
}

const MAIL = '/settings/mail';

export const MailListPage = ({ frame, mails, hasMailServer, most }: MailListProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <SettingsPage title={say('Unsent mail')} frame={frame} current={MAIL} isOfAll>
      {hasMailServer ? (
        <p>
          {say(
            'There is a mail server: mail is handed to it. What is below was kept while there was none, and stays here: it does not leave by itself.',
          )}
        </p>
      ) : (
        <Notice kind="error">
          {say(
            'No mail leaves this service: there is no mail server. A keeper sets one under Delivery. Until then mail is kept here for 30 days.',
          )}
        </Notice>
      )}
      <p>
        {say(
          "You see mail to the groups of your organizations, and mail to accounts that belong to no other organization. Reading somebody's mail about their account goes on record.",
        )}
      </p>
      {mails.length === 0 ? (
        <p>{say('There is none.')}</p>
      ) : (
        <ul class="rows card">
          {mails.map(({ id, recipient, organizationName, subject, at }) => (
            <li key={id}>
              <div>
                <a href={`${MAIL}/${id}`}>{subject}</a>
                <div class="muted">
                  {organizationName === null
                    ? sayWith(language, 'to {recipient}, {time}', { recipient, time: <Time {...at} /> })
                    : sayWith(language, 'to {recipient}, {organizationName}, {time}', {
                        recipient,
                        organizationName,
                        time: <Time {...at} />,
                      })}
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
      {mails.length === most && (
        <p class="muted">{say('The newest {most, plural, one {# is} other {# are}} listed.', { most })}</p>
      )}
    </SettingsPage>
  );
};

interface MailProps {
  frame: SettingsFrame;
  id: string;
  recipient: string;
  /** null: the reader has no other, or it is about an account. */
  organizationName: string | null;
  subject: string;
  text: string;
  at: ShownTime;
}

export const MailPage = ({ frame, id, recipient, organizationName, subject, text, at }: MailProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <SettingsPage
      title={subject}
      frame={frame}
      current={MAIL}
      up={{ path: MAIL, label: say('Unsent mail') }}
      isOfAll
    >
      <p>
        {organizationName === null
          ? sayWith(language, 'To {recipient}, {time}', { recipient, time: <Time {...at} /> })
          : sayWith(language, 'To {recipient}, {organizationName}, {time}', {
              recipient,
              organizationName,
              time: <Time {...at} />,
            })}
      </p>
      <h2>{say('Text')}</h2>
      <pre>{text}</pre>
      <h2>{say('As a mail program shows it')}</h2>
      <iframe
        class="mail"
        src={`${MAIL}/${id}/html`}
        sandbox=""
        title={say('The mail "{subject}"', { subject })}
        loading="lazy"
      />
    </SettingsPage>
  );
};
