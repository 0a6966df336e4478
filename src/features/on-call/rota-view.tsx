import type { Language } from '../../domain/language/speak.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { ZoneList } from '../../engine/pages/zone-field.tsx';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import { RotaFields } from './rota-fields.tsx';
import type { HandoverDraft } from './rota-form.ts';
import type { RotaSettings } from './rota-model.ts';

export const ROTAS = '/settings/rotas';

/** A form that was sent and comes back: refused, or with a handover more or less. */
interface TypedRota {
  form: FormFields;
  drafts: HandoverDraft[];
  fault: Fault | null;
}

interface RotasProps {
  frame: SettingsFrame;
  rotas: RotaSettings[];
  members: { id: number; name: string }[];
  /** Where a new rota is, unless another zone is chosen. */
  timeZone: string;
  typed: TypedRota | null;
  /** Where not all forms are shown: whose is; null: nobody's. */
  openId: number | null;
}

/** Names to choose from, on one page. More of them make a page that no browser likes. */
const MOST_CHOICES = 20_000;

const countChoices = (rotas: readonly RotaSettings[], members: readonly unknown[]): number =>
  members.length * rotas.flatMap(({ handovers }) => handovers.flatMap(({ names }) => names)).length;

export const RotasPage = ({ frame, rotas, members, timeZone, typed, openId }: RotasProps) => {
  const language = useLanguage();
  const { say } = language;
  const showsAll = countChoices(rotas, members) <= MOST_CHOICES;
  const ofNew = typed?.form.rota_id === undefined ? typed : null;
  return (
    <SettingsPage title={say('Rotas')} frame={frame} current={ROTAS}>
      <p>
        {sayWith(
          language,
          'People who take turns being on call. A rota notifies nobody by itself: put it on a step of a group. Who is on call, and stand-ins, are on the page <a>On call</a>.',
          { a: (inside) => <a href="/on-call">{inside}</a> },
        )}
      </p>
      <ZoneList />
      {rotas.map((rota) => (
        <RotaCard
          key={rota.id}
          frame={frame}
          rota={rota}
          members={members}
          typed={typed?.form.rota_id === String(rota.id) ? typed : null}
          isOpen={rota.id === openId}
          showsForm={showsAll || rota.id === openId || typed?.form.rota_id === String(rota.id)}
        />
      ))}
      <section class="card">
        <h2>{say('New rota')}</h2>
        <PostForm organization={frame.organization} action={`${ROTAS}/create`}>
          <Field
            name="name"
            label={say('Name')}
            error={ofNew?.fault?.field === 'name' ? ofNew.fault.text : undefined}
            input={{
              value: ofNew?.form.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <RotaFields
            prefix="new"
            drafts={ofNew?.drafts ?? [{ at: '08:00', timeZone, members: [] }]}
            every={ofNew?.form.every ?? 'week'}
            length={ofNew?.form.length ?? '1'}
            members={members}
            fault={ofNew?.fault ?? null}
            isAdded={ofNew?.form.add !== undefined}
          />
          <Field
            name="from"
            label={say('First handover on (may be left empty)')}
            hint={say(
              "Empty: it begins now. Turn 1 is today's shift; until its handover the last one is on call.",
            )}
            error={ofNew?.fault?.field === 'from' ? ofNew.fault.text : undefined}
            input={{ type: 'date', value: ofNew?.form.from ?? '' }}
          />
          <label class="check">
            <input type="checkbox" name="confirm" value="yes" checked={ofNew?.form.confirm === 'yes'} />{' '}
            {say('A shift begins with a message that asks for a receipt')}
          </label>
          <button type="submit" class="button-primary">
            {say('Create rota')}
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

interface RotaCardProps {
  frame: SettingsFrame;
  rota: RotaSettings;
  members: { id: number; name: string }[];
  typed: TypedRota | null;
  isOpen: boolean;
  showsForm: boolean;
}

const RotaCard = ({ frame, rota, members, typed, isOpen, showsForm }: RotaCardProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{rota.name}</h2>
      {rota.handovers.length === 1 ? (
        rota.handovers.map(({ at, timeZone, names }) => (
          <p key={at}>
            {sayWith(
              language,
              '<strong>{names}</strong>, {every, select, day {{length, plural, =1 {a day} other {# days}}} other {{length, plural, =1 {a week} other {# weeks}}}} each. Handover at {at} in {timeZone}.',
              {
                names: sayOrder(names, language),
                strong: (inside) => <strong>{inside}</strong>,
                every: rota.every,
                length: Number(rota.length),
                at,
                timeZone,
              },
            )}
          </p>
        ))
      ) : (
        <>
          <ul>
            {rota.handovers.map(({ at, timeZone, names }) => (
              <li key={`${at} ${timeZone}`}>
                {sayWith(language, 'From {at} in {timeZone}: <strong>{names}</strong>', {
                  at,
                  timeZone,
                  names: sayOrder(names, language),
                  strong: (inside) => <strong>{inside}</strong>,
                })}
              </li>
            ))}
          </ul>
          <p>
            {say(
              'Turns change after {every, select, day {{length, plural, =1 {a day} other {# days}}} other {{length, plural, =1 {a week} other {# weeks}}}}.',
              { every: rota.every, length: Number(rota.length) },
            )}
          </p>
        </>
      )}
      {rota.begins && <p>{sayWith(language, 'From {time} on.', { time: <Time {...rota.begins} /> })}</p>}
      <p>
        {sayWith(language, 'On call now: {who}', {
          who: rota.onCall ? <strong>{rota.onCall}</strong> : <strong class="error">{say('nobody')}</strong>,
        })}
      </p>
      {showsForm ? (
        <details open={isOpen || typed !== null}>
          <summary>{say('Change from the next handover on')}</summary>
          <PostForm
            organization={frame.organization}
            action={`${ROTAS}/change`}
            hidden={{ rota_id: rota.id }}
          >
            <RotaFields
              prefix={`rota-${rota.id}`}
              drafts={typed?.drafts ?? rota.drafts}
              every={typed?.form.every ?? rota.every}
              length={typed?.form.length ?? rota.length}
              members={members}
              fault={typed?.fault ?? null}
              isAdded={typed?.form.add !== undefined}
            />
            <button type="submit">{say('Change')}</button>
          </PostForm>
        </details>
      ) : (
        <p>
          <a href={settingsPath(ROTAS, frame.organization, { rota: rota.id })}>
            {say('Change from the next handover on')}
          </a>
        </p>
      )}
      <p class="muted">
        {rota.confirm
          ? say(
              'A shift begins with a message that asks for a receipt. Without one within 30 minutes, whoever was on call before and administrators are notified.',
            )
          : say('A shift begins without a message.')}
      </p>
      <div class="actions">
        <PostForm
          organization={frame.organization}
          action={`${ROTAS}/confirm`}
          hidden={{ rota_id: rota.id, confirm: rota.confirm ? 'no' : 'yes' }}
        >
          <button type="submit">
            {rota.confirm ? say('Ask for no receipts') : say('Ask for a receipt at each shift')}
          </button>
        </PostForm>
        {rota.hasCalendar ? (
          <AskLink
            to={settingsPath(`${ROTAS}/feed`, frame.organization)}
            hidden={{ rota_id: rota.id }}
            isQuiet
          >
            {say('Renew the calendar')}
          </AskLink>
        ) : (
          <PostForm organization={frame.organization} action={`${ROTAS}/feed`} hidden={{ rota_id: rota.id }}>
            <button type="submit">{say('Make a calendar')}</button>
          </PostForm>
        )}
        <AskLink
          to={settingsPath(`${ROTAS}/delete`, frame.organization)}
          hidden={{ rota_id: rota.id }}
          label={say('Delete {name}', { name: rota.name })}
        >
          {say('Delete')}
        </AskLink>
      </div>
    </section>
  );
};

/** Who follows whom. */
const sayOrder = (names: readonly string[], { say }: Language): string =>
  names.length === 0 ? '' : names.reduce((before, after) => say('{before} → {after}', { before, after }));
