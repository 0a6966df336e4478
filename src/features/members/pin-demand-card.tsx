import type { Language } from '../../domain/language/speak.ts';
import type { PinDemand } from '../../engine/organizations/phone-pin.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { MEMBERS } from './change-member.ts';

export const PinDemandCard = ({
  organization,
  isRequired,
  phones,
  withoutPin,
}: PinDemand & { organization: SettingsFrame['organization'] }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('PIN for answers by phone')}</h2>
      <p>
        {say(
          'Whoever acknowledges by SMS or in a call then proves by a PIN that it is them: a phone that lies around is not enough. Each sets their own on their profile.',
        )}
      </p>
      <p>
        {isRequired && withoutPin > 0 ? (
          <strong>{sayPhones(phones, withoutPin, language)}</strong>
        ) : (
          sayPhones(phones, withoutPin, language)
        )}
      </p>
      <PostForm organization={organization} action={`${MEMBERS}/phone-pin`}>
        <div class="field">
          <label class="check">
            <input type="checkbox" name="phone_pin_required" value="yes" checked={isRequired} />{' '}
            {say('Ask for a PIN')}
          </label>
        </div>
        <button type="submit">{say('Save')}</button>
      </PostForm>
    </section>
  );
};

function sayPhones(phones: number, withoutPin: number, { say }: Language): string {
  if (phones === 0) return say('No member is notified by SMS or call.');
  if (withoutPin === 0)
    return say(
      '{phones, plural, one {# member is notified} other {# members are notified}} by SMS or call; none is without a PIN.',
      { phones },
    );
  return say(
    '{phones, plural, one {# member is notified} other {# members are notified}} by SMS or call; {withoutPin, plural, one {# of them has} other {# of them have}} no PIN.',
    { phones, withoutPin },
  );
}
