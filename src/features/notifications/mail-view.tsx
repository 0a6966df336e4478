import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

interface MailListProps {
  frame: SettingsFrame;
  mails: Omit<MailProps, 'frame' | 'text'>[];
  hasMailServer: boolean;
  most: number;
}

const MAIL = '/settings/mail';

export const MailListPage = ({ frame, mails, hasMailServer, most }: MailListProps) => (
  <SettingsPage title="Kept mail" frame={frame} current={MAIL} isOfAll>
    {hasMailServer ? (
      <p>
        There is a mail server: mail is handed to it. What is below was kept while there was none, and stays
        here: it does not leave by itself.
      </p>
    ) : (
      <Notice kind="error">
        No mail leaves this service: there is no mail server. A keeper sets one under Delivery. Until then
        mail is kept here for 30 days.
      </Notice>
    )}
    <p>
      You see mail to the groups of your organizations, and mail to accounts that belong to no other
      organization. Reading somebody's mail about their account goes on record.
    </p>
    {mails.length === 0 ? (
      <p>There is none.</p>
    ) : (
      <ul class="rows card">
        {mails.map(({ id, recipient, organizationName, subject, at }) => (
          <li key={id}>
            <div>
              <a href={`${MAIL}/${id}`}>{subject}</a>
              <div class="muted">
                to {recipient}, {organizationName !== null && `${organizationName}, `}
                <Time {...at} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    )}
    {mails.length === most && <p class="muted">The newest {most} are listed.</p>}
  </SettingsPage>
);

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

export const MailPage = ({ frame, id, recipient, organizationName, subject, text, at }: MailProps) => (
  <SettingsPage title={subject} frame={frame} current={MAIL} up={{ path: MAIL, label: 'Kept mail' }} isOfAll>
    <p>
      To {recipient}, {organizationName !== null && `${organizationName}, `}
      <Time {...at} />
    </p>
    <h2>Text</h2>
    <pre>{text}</pre>
    <h2>As a mail program shows it</h2>
    <iframe
      class="mail"
      src={`${MAIL}/${id}/html`}
      sandbox=""
      title={`The mail "${subject}"`}
      loading="lazy"
    />
  </SettingsPage>
);
