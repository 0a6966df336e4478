import type { ComponentChildren } from 'preact';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { Time } from '../../platform/html/time.tsx';
import type { SettingModel } from './page-model.ts';
import type { FormFault } from './read-field.ts';
import type { Tried } from './try-setting.ts';

export const DELIVERY = '/settings/delivery';

/** Of the form that was refused: what was typed, and what is wrong with it. */
export interface SettingFault extends FormFault {
  form: string;
  typed: Record<string, string>;
}

/** What a form is filled with. */
export interface FormState {
  typed: Record<string, string>;
  errorOf: (field: string) => string | undefined;
  hasSecret: (field: string) => boolean;
}

/** After a refusal what was typed, else what is stored. */
export const formStateOf = (
  form: string,
  { typed, secrets }: SettingModel,
  fault: SettingFault | null,
): FormState => {
  const own = fault?.form === form ? fault : null;
  return {
    typed: own ? own.typed : typed,
    errorOf: (field) => (own && own.field === field ? own.text : undefined),
    hasSecret: (field) => secrets.includes(field),
  };
};

interface CardProps {
  id: string;
  title: string;
  about: string;
  model: SettingModel;
  /** Of this card. */
  fault: SettingFault | null;
  /** What can be tried, with the words of the button. */
  tries?: [kind: MethodKind, label: string][];
  tried?: Tried | null;
  children: ComponentChildren;
}

export const SettingCard = ({ id, title, about, model, fault, tries = [], tried, children }: CardProps) => {
  const { state } = model;
  const isSet = state.kind === 'environment' || state.kind === 'page';
  const canAct = state.kind === 'page' || state.kind === 'unread' || (isSet && tries.length > 0);
  return (
    <section class="card" id={id} aria-label={title}>
      <h2>{title}</h2>
      <p class="muted">{about}</p>
      <State model={model} />
      {tried && tries.some(([kind]) => kind === tried.kind) && <Outcome {...tried} />}
      {state.kind !== 'environment' && (
        <details open={fault !== null}>
          <summary>{isSet ? 'Change it' : 'Set it'}</summary>
          {children}
        </details>
      )}
      {canAct && (
        <div class="actions">
          {isSet &&
            tries.map(([kind, label]) => (
              <form key={kind} method="post" action={`${DELIVERY}/try/${kind}`}>
                <button type="submit">{label}</button>
              </form>
            ))}
          {(state.kind === 'page' || state.kind === 'unread') && (
            <form method="post" action={`${DELIVERY}/${id}/remove`}>
              <button type="submit" aria-label={`Remove: ${title}`}>
                Remove
              </button>
            </form>
          )}
        </div>
      )}
    </section>
  );
};

const State = ({ model: { state, inForce, isOverruled } }: { model: SettingModel }) => {
  switch (state.kind) {
    case 'unset':
      return inForce === null ? (
        <p>Not set.</p>
      ) : (
        <p>
          Not set: <strong>{inForce}</strong> is used.
        </p>
      );
    case 'environment':
      return (
        <p>
          <strong>{inForce}</strong>, set by <code>{state.by}</code>. It can be changed there only
          {isOverruled && '; what was set on this page does not count meanwhile'}.
        </p>
      );
    case 'page':
      return (
        <p>
          <strong>{inForce}</strong>, set by {state.by} <Time {...state.at} />.
        </p>
      );
    case 'unread':
      return (
        <p class="notice notice-error">
          Set, but this program cannot read it: it takes the key {state.keyId}, and this program has{' '}
          {state.ownKeyId === null ? 'none' : `the key ${state.ownKeyId}`}. Bring the key back (
          <code>TOCSIN_KEY</code>, or <code>delivery.key</code> in the data folder), or remove it and set it
          anew.
        </p>
      );
  }
};

const Outcome = ({ isSent, summary, answer }: Tried) => (
  <div class={`notice notice-${isSent ? 'done' : 'error'}`} role={isSent ? 'status' : 'alert'}>
    <p>{summary}</p>
    {answer !== null && (
      <p>
        Answered: <code>{answer}</code>
      </p>
    )}
  </div>
);
