import { MOST_DEVICE_DAYS } from '../../domain/accounts/device-session.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { MEMBERS } from './change-member.ts';

const CHOICES = [MOST_DEVICE_DAYS, 30, 7, 1];

interface DeviceDaysProps {
  organization: SettingsFrame['organization'];
  days: number;
}

export const DeviceDaysCard = ({ organization, days }: DeviceDaysProps) => {
  const { say } = useLanguage();
  const choices = [...new Set([...CHOICES, days])].filter((choice) => choice > 0).sort((a, b) => b - a);
  return (
    <section class="card">
      <h2>{say('Staying signed in')}</h2>
      <p>
        {say(
          'At 3 am a session of eight hours is over. Whoever chooses it when they sign in stays signed in on that phone or computer, as long as they use it at least this often. Before anything dangerous it asks for the password again.',
        )}
      </p>
      <PostForm organization={organization} action={`${MEMBERS}/device-days`}>
        <Select
          name="device_days"
          label={say('People may stay signed in for')}
          hint={say('Whoever belongs to several organizations: the strictest counts.')}
          options={[
            ...choices.map(
              (choice) =>
                [
                  String(choice),
                  say('{days, plural, one {# day} other {# days}}', { days: choice }),
                ] as const,
            ),
            ['0', say('Never: sign in every time')],
          ]}
          chosen={String(days)}
        />
        <button type="submit">{say('Save')}</button>
      </PostForm>
    </section>
  );
};
