import type { UnitState } from '../../domain/equipment/unit-state.ts';
import type { FloorPlan } from '../../engine/floor-plans/floor-plans.ts';
import { Plan } from '../../engine/floor-plans/plan-view.tsx';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { writeBranch } from '../../engine/pages/wanted-place.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { FLOOR_PLANS } from './paths.ts';
import type { PlanUnit } from './queries.ts';
import { UploadForm } from './upload-form.tsx';

interface PlanPageProps {
  frame: SettingsFrame;
  plan: FloorPlan;
  name: string;
  src: string;
  units: (PlanUnit & { state: UnitState })[];
  fault: Fault | null;
}

export const PlanPage = ({ frame, plan, name, src, units, fault }: PlanPageProps) => {
  const { say } = useLanguage();
  const { organization } = frame;
  const path = `${FLOOR_PLANS}/${plan.id}`;
  const { branch } = plan;
  return (
    <SettingsPage
      title={name}
      frame={frame}
      current={FLOOR_PLANS}
      up={{ path: settingsPath(FLOOR_PLANS, organization), label: say('Floor plans') }}
    >
      <PostForm organization={organization} action={`${path}/place`}>
        <section class="card">
          <Plan plan={plan} src={src} name={name} markers={units} isMovable />
          <p class="hint needs-script">
            {say('Drag each unit to where it stands, or type it below. What is not saved is not kept.')}
          </p>
          <p class="hint">{say('Both blank: the unit is not on the plan.')}</p>
        </section>
        <section class="card">
          <h2>{say('Where units stand')}</h2>
          {fault?.field === 'markers' && <p class="error">{fault.text}</p>}
          {units.length === 0 ? (
            <p>{say('No unit stands in this place yet.')}</p>
          ) : (
            <>
              <Positions units={units} typed={fault?.typed ?? null} />
              <button type="submit" class="button-primary">
                {say('Save places')}
              </button>
            </>
          )}
        </section>
      </PostForm>
      <section class="card">
        <h2>{say('Another picture')}</h2>
        <p>{say('It takes the place of this one. Units stay where they are in it.')}</p>
        <UploadForm organization={organization} fault={null}>
          <input type="hidden" name="location" value={writeBranch(branch)} />
        </UploadForm>
      </section>
      <p>
        <AskLink to={settingsPath(`${path}/delete`, organization)} hidden={{}}>
          {say('Delete this floor plan')}
        </AskLink>
      </p>
    </SettingsPage>
  );
};

const show = (share: number | null): string => (share === null ? '' : String(share / 10));

const Positions = ({ units, typed }: { units: PlanUnit[]; typed: Record<string, string> | null }) => {
  const { say } = useLanguage();
  const columns = [say('Unit'), say('From the left, %'), say('From the top, %')] as const;
  return (
    <TableScroll label={say('Where units stand')}>
      <table class="stacked">
        <ColumnHeads columns={columns} />
        <tbody>
          {units.map(({ serviceId, name, x, y }) => (
            <tr key={serviceId}>
              <th scope="row">
                {name}{' '}
                {x === null && (
                  <button
                    type="button"
                    class="needs-script"
                    data-put={serviceId}
                    aria-label={say('Put on the plan: {name}', { name })}
                  >
                    {say('Put on the plan')}
                  </button>
                )}
              </th>
              <Cell column={columns[1]}>
                <Share
                  name={`x_${serviceId}`}
                  value={typed?.[`x_${serviceId}`] ?? show(x)}
                  label={say('{name}, from the left in percent', { name })}
                />
              </Cell>
              <Cell column={columns[2]}>
                <Share
                  name={`y_${serviceId}`}
                  value={typed?.[`y_${serviceId}`] ?? show(y)}
                  label={say('{name}, from the top in percent', { name })}
                />
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};

const Share = ({ name, value, label }: { name: string; value: string; label: string }) => (
  <input
    name={name}
    value={value}
    aria-label={label}
    inputMode="decimal"
    autocomplete="off"
    size={5}
    maxLength={9}
  />
);
