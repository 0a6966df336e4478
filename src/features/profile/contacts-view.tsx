import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import type { During } from '../../domain/on-call/lab-hours.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { CONTACTS, PinCard, type PinProps } from './phone-pin-card.tsx';

export interface ShownMethod {
  id: number;
  label: string;
  address: string;
  state: 'in use' | 'waits for its code' | 'off';
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

const HOURS: [During, string][] = [
  ['always', 'At any hour'],
  ['lab_hours', 'In lab hours'],
  ['off_hours', 'Off hours'],
];

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
}: ContactsProps) => (
  <Page title="How you are told" visitor={visitor} current="/profile">
    <UpLink path="/profile" label="Your profile" />
    <h1>How you are told</h1>
    {done !== null && <Notice kind="done">{done}</Notice>}
    {fault !== null && <Notice kind="error">{fault.text}</Notice>}
    {missingPin !== null && (
      <p class="notice notice-error">
        {missingPin} <a href="#pin">Set one</a>
      </p>
    )}
    <p>
      {methods.some(({ state }) => state === 'in use')
        ? 'Of an alarm that reaches you, you are told by these. Where none of them is meant for it, by mail.'
        : `Of an alarm that reaches you, you are told by mail to ${visitor.email}, at once.`}{' '}
      Administrators of your organizations see which kinds you use, not your numbers and addresses.
    </p>
    <div class="cards">
      {methods.map((method) => (
        <MethodCard key={method.id} {...method} fault={fault?.methodId === method.id ? fault : null} />
      ))}
      {offersPush && <PushCard />}
    </div>
    <section class="card">
      <h2>Add another way</h2>
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

const Missing = ({ labels, whom, isKeeper }: MissingWays) =>
  labels.length === 0 ? null : (
    <p>
      Not set up here: {labels.join(', ')}.{' '}
      {isKeeper ? (
        <>
          You can set it up under <a href="/settings/delivery">Delivery</a>.
        </>
      ) : (
        `Ask ${whom}.`
      )}
    </p>
  );

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
}: ShownMethod & { fault: ContactFault | null }) => (
  <section class="card" aria-label={`${label} ${address}`}>
    <h2>{label}</h2>
    <p>
      <strong>{address}</strong>{' '}
      {state === 'in use' ? <span class="muted">{state}</span> : <strong class="error">{state}</strong>}
    </p>
    {why !== null && <p>{why}</p>}
    {takesCode && (
      <form method="post" action={`${CONTACTS}/${id}/prove`}>
        <Field
          id={`code-${id}`}
          name="code"
          label="Code that was sent to it"
          error={errorAt('code', fault)}
          input={{ required: true, inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 10 }}
        />
        <button type="submit" class="button-primary">
          Confirm
        </button>
      </form>
    )}
    {state === 'in use' && (
      <>
        <p>{sayTimes({ afterMinutes, onlyCritical, during })}</p>
        <details open={fault !== null}>
          <summary>Change when</summary>
          <form method="post" action={`${CONTACTS}/${id}/change`}>
            <Times
              id={String(id)}
              afterMinutes={afterMinutes}
              onlyCritical={onlyCritical}
              during={during}
              fault={fault}
            />
            <button type="submit">Save</button>
          </form>
        </details>
      </>
    )}
    <div class="actions">
      {takesCode && (
        <form method="post" action={`${CONTACTS}/${id}/code`}>
          <button type="submit">Send a code</button>
        </form>
      )}
      <form method="post" action={`${CONTACTS}/${id}/remove`}>
        <button type="submit" aria-label={`Remove ${label} ${address}`}>
          Remove
        </button>
      </form>
    </div>
  </section>
);

const AddForm = ({
  kind,
  label,
  addressLabel,
  hint,
  secretLabel,
  typed,
  fault,
}: OfferedKind & { typed: Record<string, string>; fault: ContactFault | null }) => (
  <details open={typed.kind !== undefined}>
    <summary>Add {label}</summary>
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
        during={HOURS.find(([hours]) => hours === typed.during)?.[0] ?? 'always'}
        fault={fault}
      />
      <button type="submit" class="button-primary">
        {addressLabel === null ? 'Add' : 'Send a code to it'}
      </button>
    </form>
  </details>
);

/** Shown by a script where the browser can be told (src/client/app/install.ts). */
const PushCard = () => (
  <section class="card" aria-label="Push to this browser">
    <h2>Push to this browser</h2>
    <p>
      This browser shows alarms also while Tocsin is closed. On an iPhone or iPad add Tocsin to the Home
      Screen first (Share, Add to Home Screen), and open it there; a phone that is set to make no sound makes
      none.
    </p>
    <form method="post" action={`${CONTACTS}/push`} data-push hidden>
      <input type="hidden" name="endpoint" value="" />
      <input type="hidden" name="p256dh" value="" />
      <input type="hidden" name="auth" value="" />
      <p class="notice notice-error" role="alert" hidden />
      <button type="submit" class="button-primary">
        Tell me here
      </button>
    </form>
  </section>
);

interface TimesProps {
  id: string;
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
  fault: ContactFault | null;
}

const sayTimes = ({
  afterMinutes,
  onlyCritical,
  during,
}: Pick<TimesProps, 'afterMinutes' | 'onlyCritical' | 'during'>): string =>
  [
    onlyCritical ? 'Critical alarms only' : 'Every alarm',
    afterMinutes === 0 ? 'at once' : `after ${afterMinutes} min, if nobody has acknowledged by then`,
    HOURS.find(([hours]) => hours === during)?.[1].toLowerCase(),
  ].join(', ');

const Times = ({ id, afterMinutes, onlyCritical, during, fault }: TimesProps) => (
  <>
    <Field
      id={`${id}-after`}
      name="after_minutes"
      label="After so many minutes"
      hint="0: at once. Otherwise only if nobody has acknowledged by then."
      error={errorAt('after_minutes', fault)}
      input={{ type: 'number', min: 0, max: 1440, value: String(afterMinutes), required: true }}
    />
    <Select id={`${id}-during`} name="during" label="When" chosen={during} options={HOURS} />
    <div class="field">
      <label>
        <input type="checkbox" name="only_critical" value="on" checked={onlyCritical} /> For critical alarms
        only
      </label>
    </div>
  </>
);
