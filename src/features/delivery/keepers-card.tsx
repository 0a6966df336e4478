import { AskLink } from '../../engine/pages/ask.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import type { DeliveryModel } from './page-model.ts';
import { DELIVERY, type SettingFault } from './setting-card.tsx';

interface KeepersProps extends Pick<DeliveryModel, 'keepers'> {
  fault: SettingFault | null;
}

export const KeepersCard = ({ keepers, fault }: KeepersProps) => {
  const { say } = useLanguage();
  return (
    <section class="card" id="keepers" aria-label={say('Keepers')}>
      <h2>{say('Keepers')}</h2>
      <p class="muted">
        {say(
          'Who may change this page. It opens nothing of organizations they do not belong to; but mail to everybody leaves as they say, links to set passwords too: choose people whom you would trust with the server.',
        )}
      </p>
      <ul class="plain">
        {keepers.map(({ id, name, email, isActive, isYou }) => (
          <li key={id}>
            <strong>{name}</strong> {email}
            {isYou && ` ${say('(you)')}`}
            {!isActive && ` ${say('(deactivated)')}`}{' '}
            {keepers.length > 1 && (
              <AskLink
                to={`${DELIVERY}/keepers/remove`}
                hidden={{ email }}
                label={say('Remove {name} as keeper', { name })}
                isQuiet
              >
                {say('Remove')}
              </AskLink>
            )}
          </li>
        ))}
      </ul>
      <form method="post" action={`${DELIVERY}/keepers/add`}>
        <Field
          id="keeper-email"
          name="email"
          label={say('Make somebody keeper')}
          hint={say('The email of an account that is there already.')}
          error={fault?.field === 'email' ? fault.text : undefined}
          input={{ type: 'email', required: true, autocomplete: 'off', value: fault?.typed.email ?? '' }}
        />
        <button type="submit">{say('Make keeper')}</button>
      </form>
    </section>
  );
};
