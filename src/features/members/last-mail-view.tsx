import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
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
  const language = useLanguage();
  if (!mail) return null;
  const { words, at, isTrouble, keptPath } = mail;
  const facts = { words, time: at ? <Time {...at} /> : '' };
  return (
    <div class={isTrouble ? 'delivery-trouble' : 'muted'}>
      {keptPath === null
        ? sayWith(language, 'Mail: {words} {time}', facts)
        : sayWith(language, 'Mail: {words} {time}. <a>Open it, and give {name} the link in it</a>', {
            ...facts,
            name,
            a: (inside) => <a href={settingsPath(keptPath, organization)}>{inside}</a>,
          })}
    </div>
  );
};
