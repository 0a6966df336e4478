import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { inARow } from '../../domain/list-names.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { DURINGS, type During } from '../../domain/on-call/lab-hours.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { CONTACTS, PinCard, type PinProps } from './phone-pin-card.tsx';

export interface ShownMethod {
  id: number;
  label: string;
  address: string;
  state: 'in_use' | 'waits' | 'off';
  why: string | null;
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
  /** A code that was sent to it can be typed in. */
  takesCode: boolean;
}

interface OfferedKind {
  kind: MethodKind;
  label: string;
  addressLabel: string | null;
  hint: string;
  secretLabel: string | null;
}

export interface ContactsProps {
  visitor: Visitor & { email: string };
  methods: ShownMethod[];
  offered: OfferedKind[];
  offersPush: boolean;
  missing: MissingWays;
  /** null: nothing could be answered by phone here. */
  pin: PinProps | null;
  missingPin: string | null;
  /** Which one's form was sent, with what it held. */
  typed: Record<string, string>;
  done: string | null;
  fault: ContactFault | null;
}

/** What would be there if somebody set it up, and whom to ask for it. */
interface MissingWays {
  labels: string[];
  whom: string;
  isKeeper: boolean;
}

/** Of the form that was refused: of which method, or of a new one, and what is wrong in which field. */
interface ContactFault {
  methodId: number | null;
  field: string;
  text: string;
}

const errorAt = (field: string, fault: ContactFault | null) =>
  fault?.field === field ? fault.text : undefined;

const HOURS = {
  always: message('At any hour'),
  lab_hours: message('In lab hours'),
  off_hours: message('Off hours'),
} satisfies Record<During, string>;

export const ContactsPage = ({
  visitor,
  methods,
  offered,
  offersPush,
  missing,
  pin,
  missingPin,
  typed,
  done,
  fault,
}: ContactsProps) => {
  const { say } = useLanguage();
  return (
    <Page title={say('How you are notified')} visitor={visitor} current="/profile">
      <UpLink path="/profile" label={say('Your profile')} />
      <h1>{say('How you are notified')}</h1>
      {done !== null && <Notice kind="done">{done}</Notice>}
      {fault !== null && <Notice kind="error">{fault.text}</Notice>}
      {missingPin !== null && (
        <p class="notice notice-error">
          {missingPin} <a href="#pin">{say('Set one')}</a>
        </p>
      )}
      <p>
        {methods.some(({ state }) => state === 'in_use')
          ? say(
              'Of an alarm that reaches you, you are notified by these. Where none of them is meant for it, by mail.',
            )
          : say('Of an alarm that reaches you, you are notified by mail to {email}, at once.', {
              email: visitor.email,
            })}{' '}
        {say('Administrators of your organizations see which kinds you use, not your numbers and addresses.')}
      </p>
      <div class="cards">
        {methods.map((method) => (
          <MethodCard key={method.id} {...method} fault={fault?.methodId === method.id ? fault : null} />
        ))}
        {offersPush && <PushCard />}
      </div>
      <section class="card">
        <h2>{say('Add another way')}</h2>
        {offered.map((kind) => {
          const isTyped = typed.kind === kind.kind;
          return (
            <AddForm key={kind.kind} {...kind} typed={isTyped ? typed : {}} fault={isTyped ? fault : null} />
          );
        })}
        <Missing {...missing} />
      </section>
      {pin && <PinCard {...pin} />}
    </Page>
  );
};

const Missing = ({ labels, whom, isKeeper }: MissingWays) => {
  const language = useLanguage();
  const { say } = language;
  if (labels.length === 0) return null;
  return (
    <p>
      {say('Not set up here: {ways}.', { ways: inARow(labels, language) })}{' '}
      {isKeeper
        ? sayWith(language, 'You can set it up under <a>Delivery</a>.', {
            a: (inside) => <a href="/settings/delivery">{inside}</a>,
          })
        : say('Ask {whom}.', { whom })}
    </p>
  );
};

const MethodCard = ({
  id,
  label,
  address,
  state,
  why,
  afterMinutes,
  onlyCritical,
  during,
  takesCode,
  fault,
}: ShownMethod & { fault: ContactFault | null }) => {
  const language = useLanguage();
  const { say } = language;
  // For translators: of a number or an address by which somebody is told
  const stateWord = say('{state, select, in_use {in use} waits {waits for its code} other {off}}', { state });
  return (
    <section class="card" aria-label={`${label} ${address}`}>
      <h2>{label}</h2>
      <p>
        <strong>{address}</strong>{' '}
        {state === 'in_use' ? (
          <span class="muted">{stateWord}</span>
        ) : (
          <strong class="error">{stateWord}</strong>
        )}
      </p>
      {why !== null && <p>{why}</p>}
      {takesCode && (
        <form method="post" action={`${CONTACTS}/${id}/prove`}>
          <Field
            id={`code-${id}`}
            name="code"
            label={say('Code that was sent to it')}
            error={errorAt('code', fault)}
            input={{ required: true, inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 10 }}
          />
          <button type="submit" class="button-primary">
            {say('Confirm')}
          </button>
        </form>
      )}
      {state === 'in_use' && (
        <>
          <p>{sayTimes({ afterMinutes, onlyCritical, during }, language)}</p>
          <details open={fault !== null}>
            <summary>{say('Change when')}</summary>
            <form method="post" action={`${CONTACTS}/${id}/change`}>
              <Times
                id={String(id)}
                afterMinutes={afterMinutes}
                onlyCritical={onlyCritical}
                during={during}
                fault={fault}
              />
              <button type="submit">{say('Save')}</button>
            </form>
          </details>
        </>
      )}
      <div class="actions">
        {takesCode && (
          <form method="post" action={`${CONTACTS}/${id}/code`}>
            <button type="submit">{say('Send a code')}</button>
          </form>
        )}
        <AskLink
          to={`${CONTACTS}/${id}/remove`}
          label={say('Remove {label} {address}', { label, address })}
          isQuiet
        >
          {say('Remove')}
        </AskLink>
      </div>
    </section>
  );
};

const AddForm = ({
  kind,
  label,
  addressLabel,
  hint,
  secretLabel,
  typed,
  fault,
}: OfferedKind & { typed: Record<string, string>; fault: ContactFault | null }) => {
  const { say } = useLanguage();
  return (
    <details open={typed.kind !== undefined}>
      <summary>{say('Add {label}', { label })}</summary>
      <form method="post" action={`${CONTACTS}/add`}>
        <input type="hidden" name="kind" value={kind} />
        {addressLabel === null ? (
          <p>{hint}</p>
        ) : (
          <Field
            id={`${kind}-address`}
            name="address"
            label={addressLabel}
            hint={hint}
            error={errorAt('address', fault)}
            input={{ required: true, value: typed.address ?? '', autocomplete: 'off', spellcheck: false }}
          />
        )}
        {secretLabel !== null && (
          <Field
            id={`${kind}-secret`}
            name="secret"
            label={secretLabel}
            error={errorAt('secret', fault)}
            input={{ type: 'password', autocomplete: 'off' }}
          />
        )}
        <Times
          id={kind}
          afterMinutes={Number(typed.after_minutes ?? 0) || 0}
          onlyCritical={typed.only_critical === 'on'}
          during={DURINGS.find((during) => during === typed.during) ?? 'always'}
          fault={fault}
        />
        <button type="submit" class="button-primary">
          {addressLabel === null ? say('Add') : say('Send a code to it')}
        </button>
      </form>
    </details>
  );
};

/** Shown by a script where the browser can be told (src/client/app/install.ts). */
const PushCard = () => {
  const { say } = useLanguage();
  return (
    <section class="card" aria-label={say('Push to this browser')}>
      <h2>{say('Push to this browser')}</h2>
      <p>
        {say(
          'This browser shows alarms also while Tocsin is closed. On an iPhone or iPad add Tocsin to the Home Screen first (Share, Add to Home Screen), and open it there; a phone that is set to make no sound makes none.',
        )}
      </p>
      <form method="post" action={`${CONTACTS}/push`} data-push hidden>
        <input type="hidden" name="endpoint" value="" />
        <input type="hidden" name="p256dh" value="" />
        <input type="hidden" name="auth" value="" />
        <p class="notice notice-error" role="alert" hidden />
        <button type="submit" class="button-primary">
          {say('Notify me here')}
        </button>
      </form>
    </section>
  );
};

interface TimesProps {
  id: string;
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
  fault: ContactFault | null;
}

const sayTimes = (
  { afterMinutes, onlyCritical, during }: Pick<TimesProps, 'afterMinutes' | 'onlyCritical' | 'during'>,
  { say }: Language,
): string => {
  const facts = { alarms: onlyCritical ? 'critical' : 'all', minutes: afterMinutes, during };
  // For translators: by which alarms a way to somebody is used, how soon, and at which hours
  return say(
    '{alarms, select, critical {Critical alarms only} other {Every alarm}}, {minutes, plural, =0 {at once} other {after # min, if nobody has acknowledged by then}}, {during, select, lab_hours {in lab hours} off_hours {off hours} other {at any hour}}',
    facts,
  );
};

const Times = ({ id, afterMinutes, onlyCritical, during, fault }: TimesProps) => {
  const { say } = useLanguage();
  return (
    <>
      <Field
        id={`${id}-after`}
        name="after_minutes"
        label={say('After so many minutes')}
        hint={say('0: at once. Otherwise only if nobody has acknowledged by then.')}
        error={errorAt('after_minutes', fault)}
        input={{ type: 'number', min: 0, max: 1440, value: String(afterMinutes), required: true }}
      />
      <Select
        id={`${id}-during`}
        name="during"
        label={say('When')}
        chosen={during}
        options={DURINGS.map((hours) => [hours, say(HOURS[hours])])}
      />
      <div class="field">
        <label>
          <input type="checkbox" name="only_critical" value="on" checked={onlyCritical} />{' '}
          {say('For critical alarms only')}
        </label>
      </div>
    </>
  );
};
