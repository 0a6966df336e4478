import { LONGEST_NAME } from '../../domain/names.ts';
import { LONGEST_SHIFT } from '../../domain/on-call/rota.ts';
import type { StoredRota } from '../../engine/on-call/rotas.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';

export const ROTAS = '/settings/rotas';

interface RotasProps {
  frame: SettingsFrame;
  rotas: StoredRota[];
  members: { id: number; name: string }[];
  fault: Fault | null;
}

export const RotasPage = ({ frame, rotas, members, fault }: RotasProps) => {
  const nameOf = (id: number) => members.find((one) => one.id === id)?.name ?? 'somebody who left';
  const ofNew = fault?.typed.rota_id === undefined ? fault : null;
  return (
    <SettingsPage title="Rotas" frame={frame} current={ROTAS}>
      <p>
        People who take turns being on call. A rota tells nobody by itself: put it on a step of a group. Who
        is on call, and stand-ins, are on the page <a href="/on-call">On call</a>.
      </p>
      {rotas.map((rota) => {
        const last = rota.versions.at(-1);
        const own = fault?.typed.rota_id === String(rota.id) ? fault : null;
        return (
          <section class="card" key={rota.id}>
            <h2>{rota.name}</h2>
            {last && (
              <p>
                <strong>{last.members.map((id) => nameOf(id)).join(' → ')}</strong>, {describeShift(last)}{' '}
                each. Handover at {last.handover} in {rota.timeZone}.
              </p>
            )}
            <details open={own !== null}>
              <summary>Change from the next handover on</summary>
              <PostForm
                organization={frame.organization}
                action={`${ROTAS}/change`}
                hidden={{ rota_id: rota.id }}
              >
                <Turns prefix={`rota-${rota.id}`} version={last} members={members} fault={own} />
                <button type="submit">Change</button>
              </PostForm>
            </details>
            <p class="muted">
              {rota.confirm
                ? 'A shift begins with a message that asks for a receipt. Without one within 30 minutes, whoever was on call before and administrators are told.'
                : 'A shift begins without a message.'}
            </p>
            <div class="actions">
              <PostForm
                organization={frame.organization}
                action={`${ROTAS}/confirm`}
                hidden={{ rota_id: rota.id, confirm: rota.confirm ? 'no' : 'yes' }}
              >
                <button type="submit">
                  {rota.confirm ? 'Ask for no receipts' : 'Ask for a receipt at each shift'}
                </button>
              </PostForm>
              <PostForm
                organization={frame.organization}
                action={`${ROTAS}/feed`}
                hidden={{ rota_id: rota.id }}
              >
                <button type="submit">{rota.feedToken ? 'Renew the calendar' : 'Make a calendar'}</button>
              </PostForm>
              <PostForm
                organization={frame.organization}
                action={`${ROTAS}/delete`}
                hidden={{ rota_id: rota.id }}
              >
                <button type="submit" class="button-danger" aria-label={`Delete ${rota.name}`}>
                  Delete
                </button>
              </PostForm>
            </div>
          </section>
        );
      })}
      <section class="card">
        <h2>New rota</h2>
        <PostForm organization={frame.organization} action={`${ROTAS}/create`}>
          <Field
            name="name"
            label="Name"
            error={ofNew?.field === 'name' ? ofNew.text : undefined}
            input={{
              value: ofNew?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <Turns prefix="new" version={undefined} members={members} fault={ofNew} />
          <label class="check">
            <input type="checkbox" name="confirm" value="yes" checked={ofNew?.typed.confirm === 'yes'} /> A
            shift begins with a message that asks for a receipt
          </label>
          <button type="submit" class="button-primary">
            Create rota
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

const describeShift = ({ every, length }: StoredRota['versions'][number]) =>
  length === 1 ? `a ${every}` : `${length} ${every}s`;

interface TurnsProps {
  prefix: string;
  version: StoredRota['versions'][number] | undefined;
  members: { id: number; name: string }[];
  fault: Fault | null;
}

const PLACES = 12;

const Turns = ({ prefix, version, members, fault }: TurnsProps) => {
  const typed = fault?.typed ?? {};
  const shown = Math.min(PLACES, Math.max(4, (version?.members.length ?? 0) + 1));
  const faultOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <>
      <div class="form-line">
        <Field
          id={`${prefix}-handover`}
          name="handover"
          label="Handover at"
          error={faultOf('handover')}
          input={{ type: 'time', value: typed.handover ?? version?.handover ?? '08:00', required: true }}
        />
        <Field
          id={`${prefix}-length`}
          name="length"
          label="A shift lasts"
          error={faultOf('length')}
          input={{
            type: 'number',
            min: 1,
            max: LONGEST_SHIFT,
            value: typed.length ?? String(version?.length ?? 1),
            required: true,
          }}
        />
        <Select
          id={`${prefix}-every`}
          name="every"
          label="Days or weeks"
          options={[
            ['week', 'weeks'],
            ['day', 'days'],
          ]}
          chosen={typed.every ?? version?.every ?? 'week'}
        />
      </div>
      <div class="form-line">
        {Array.from({ length: shown }, (_, place) => (
          <Select
            key={place}
            id={`${prefix}-member-${place}`}
            name={`member_${place}`}
            label={`Turn ${place + 1}`}
            options={[['', 'nobody'], ...members.map(({ id, name }) => [id, name] as const)]}
            chosen={typed[`member_${place}`] ?? version?.members[place]}
            error={place === 0 ? faultOf('members') : undefined}
          />
        ))}
      </div>
    </>
  );
};
