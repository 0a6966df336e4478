import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { LastMail } from './last-mail.ts';

interface LastMailProps {
  organization: SettingsFrame['organization'];
  mail: LastMail | null;
  /** Whom it is to. */
  name: string;
}

/** What became of it, and the way to it where it is kept. */
export const LastMailLine = ({ organization, mail, name }: LastMailProps) => {
  const { say } = useLanguage();
  return (
    mail && (
      <div class={mail.isTrouble ? 'delivery-trouble' : 'muted'}>
        Mail: {mail.words} {mail.at && <Time {...mail.at} />}
        {mail.keptPath !== null && (
          <>
            .{' '}
            <a href={settingsPath(mail.keptPath, organization)}>
              {say('Open it, and give {name} the link in it', { name })}
            </a>
          </>
        )}
      </div>
    )
  );
};
