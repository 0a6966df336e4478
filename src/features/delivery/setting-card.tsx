import type { ComponentChildren } from 'preact';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { SettingModel } from './page-model.ts';
import type { FormFault } from './read-field.ts';
import type { Tried } from './try-setting.tsx';

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
  const { say } = useLanguage();
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
          <summary>{say(isSet ? 'Change it' : 'Set it')}</summary>
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
            <AskLink to={`${DELIVERY}/${id}/remove`} label={say('Remove: {title}', { title })} isQuiet>
              {say('Remove')}
            </AskLink>
          )}
        </div>
      )}
    </section>
  );
};

const State = ({ model: { state, inForce, isOverruled } }: { model: SettingModel }) => {
  const language = useLanguage();
  const setting = <strong>{inForce}</strong>;
  const keptIn = { variable: <code>TOCSIN_KEY</code>, file: <code>delivery.key</code> };
  switch (state.kind) {
    case 'unset':
      return inForce === null ? (
        <p>{language.say('Not set.')}</p>
      ) : (
        <p>{sayWith(language, 'Not set: {setting} is used.', { setting })}</p>
      );
    case 'environment':
      return (
        <p>
          {sayWith(
            language,
            isOverruled
              ? '{setting}, set by {variable}. It can be changed there only; what was set on this page does not count meanwhile.'
              : '{setting}, set by {variable}. It can be changed there only.',
            { setting, variable: <code>{state.by}</code> },
          )}
        </p>
      );
    case 'page':
      return (
        <p>
          {sayWith(language, '{setting}, set by {person} {when}.', {
            setting,
            person: state.by,
            when: <Time {...state.at} />,
          })}
        </p>
      );
    case 'unread':
      return (
        <p class="notice notice-error">
          {state.ownKeyId === null
            ? sayWith(
                language,
                'Set, but this program cannot read it: it takes the key {key}, and this program has none. Bring the key back ({variable}, or {file} in the data folder), or remove it and set it anew.',
                { key: state.keyId, ...keptIn },
              )
            : sayWith(
                language,
                'Set, but this program cannot read it: it takes the key {key}, and this program has the key {ownKey}. Bring the key back ({variable}, or {file} in the data folder), or remove it and set it anew.',
                { key: state.keyId, ownKey: state.ownKeyId, ...keptIn },
              )}
        </p>
      );
  }
};

const Outcome = ({ isSent, summary, answer }: Tried) => {
  const language = useLanguage();
  return (
    <div class={`notice notice-${isSent ? 'done' : 'error'}`} role={isSent ? 'status' : 'alert'}>
      <p>{summary}</p>
      {answer !== null && <p>{sayWith(language, 'Answered: {answer}', { answer: <code>{answer}</code> })}</p>}
    </div>
  );
};
