import { PostForm } from '../../engine/pages/post-form.tsx';
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { MEMBERS } from './change-member.ts';

interface PersonalLinksProps {
  organization: SettingsFrame['organization'];
  areAllowed: boolean;
}

export const PersonalLinksCard = ({ organization, areAllowed }: PersonalLinksProps) => {
  const { say } = useLanguage();
  return (
    <section class="card">
      <h2>{say('Acknowledging without signing in')}</h2>
      <p>
        {say(
          'What is sent to one person about one alarm then carries a link of their own: it shows the alarm, and one press acknowledges it as them. It works once, for this alarm and for 24 hours, does nothing else, and the record says that it was by link.',
        )}
      </p>
      <p class="muted">
        {say(
          'Whoever reads their mailbox or holds their unlocked phone can press it too. A link ends when they sign out, change their password, leave, or lose the role.',
        )}
      </p>
      <PostForm organization={organization} action={`${MEMBERS}/personal-links`}>
        <div class="field">
          <label class="check">
            <input type="checkbox" name="personal_links" value="yes" checked={areAllowed} />{' '}
            {say('Send personal links')}
          </label>
        </div>
        <button type="submit">{say('Save')}</button>
      </PostForm>
    </section>
  );
};
