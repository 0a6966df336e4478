// Who would go where if a place had no power: for whoever plans, and for the door of the room on paper.
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalInput } from '../../domain/local-time.ts';
import { MOST_REMARKS } from '../../domain/rescue/kept-drill.ts';
import { TEMPERATURE_CLASSES } from '../../domain/rescue/rescue.ts';
import type { ActNotice } from '../../domain/words/act-words.ts';
import { Page } from '../../engine/pages/page.tsx';
import { PlaceChoices } from '../../engine/pages/place-choices.tsx';
import { DRILL } from '../../engine/pages/rescue-part.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { writeWantedPlace } from '../../engine/pages/wanted-place.ts';
import { type DrillPlan, type DrillPlanRefusal, MOST_UNITS } from '../../engine/rescue/read-drill.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { showTime, Time } from '../../platform/html/time.tsx';
import { type DrillModel, drillQuery } from './drill-model.ts';
import { DRILLS } from './report-view.tsx';

interface DrillProps {
  visitor: Visitor;
  drill: DrillModel;
  news: ActNotice | null;
}

export const DrillPage = ({ visitor, drill, news }: DrillProps) => {
  const { say } = useLanguage();
  const { place, plan, refusal } = drill;
  return (
    <Page title={say('Who would go where')} visitor={visitor} current="/overview">
      <h1>{place === null ? say('Who would go where') : say('Who would go where: {place}', { place })}</h1>
      {news && <Notice kind={news.kind}>{news.text}</Notice>}
      <p class="muted">
        {say(
          'If a room, a floor or a building had no power: what is in its units goes to refuges outside of it, in the order of rescue, and no rack is promised twice.',
        )}
      </p>
      <Choice drill={drill} />
      <p class="not-printed">
        <a href={`${DRILLS}?organization=${drill.organizationId}`}>{say('Drills of this year')}</a>
      </p>
      {refusal && <Notice kind="error">{sayDrillRefusal(refusal, visitor.language)}</Notice>}
      {plan && <Plan visitor={visitor} drill={drill} plan={plan} />}
    </Page>
  );
};

const sayDrillRefusal = (refusal: DrillPlanRefusal, { say }: Language): string =>
  refusal === 'no_such_place'
    ? say('No unit stands there.')
    : say('More than {most} units stand there: choose a part of it.', { most: MOST_UNITS });

const Choice = ({
  drill: { organizations, locations, branches, organizationId, wanted },
}: {
  drill: DrillModel;
}) => {
  const { say } = useLanguage();
  return (
    <search class="not-printed">
      <form class="filter" method="get" action={DRILL}>
        <PlaceChoices
          organizations={organizations}
          locations={locations}
          branches={branches}
          chosen={{ organization: organizationId, location: writeWantedPlace(wanted) }}
        />
        <button type="submit">{say('Show')}</button>
      </form>
    </search>
  );
};

type PlanProps = { visitor: Visitor; drill: DrillModel; plan: DrillPlan };

const Plan = ({ visitor, drill, plan }: PlanProps) => {
  const language = useLanguage();
  const { say } = language;
  const { units, racks, unsaid, destinations } = plan;
  return (
    <>
      <p>
        {sayWith(
          language,
          '{units, plural, one {# unit} other {# units}} with {racks, plural, one {# rack} other {# racks}}, as it stands {time}.',
          { units, racks, time: <Time {...showTime(visitor.now, visitor)} /> },
        )}
      </p>
      <Lacking plan={plan} />
      {unsaid > 0 && (
        <p class="muted">
          {say(
            '{count, plural, one {Of # unit there nobody has said how cold it has to be: it is not in this plan.} other {Of # units there nobody has said how cold they have to be: they are not in this plan.}}',
            { count: unsaid },
          )}
        </p>
      )}
      {destinations.length > 0 && <Destinations plan={plan} />}
      {drill.canKeep && <Keep visitor={visitor} drill={drill} />}
      <p class="not-printed">
        <a href={`${DRILL}.csv?${drillQuery(drill)}`}>{say('Download as CSV')}</a>
      </p>
    </>
  );
};

const Lacking = ({ plan: { lacking, units } }: { plan: DrillPlan }) => {
  const { say } = useLanguage();
  if (units === 0) return null;
  if (lacking.length === 0)
    return (
      <p>
        <strong>{say('There is room for all of it.')}</strong>
      </p>
    );
  return (
    <section>
      <h2>{say('Places that are missing')}</h2>
      <ul>
        {lacking.map(({ temperatureClass, units: count, racks }) => (
          <li key={temperatureClass}>
            <strong>
              {say(
                '{class}: {racks, plural, one {# rack} other {# racks}} of {units, plural, one {# unit} other {# units}}',
                { class: say(TEMPERATURE_CLASSES[temperatureClass]), racks, units: count },
              )}
            </strong>
          </li>
        ))}
      </ul>
    </section>
  );
};

const nameColumns = ({ say, sayAs }: Language): string[] => [
  say('Number'),
  sayAs('a piece of equipment', 'Unit'),
  say('Racks'),
  say('Goes to'),
];

const Destinations = ({ plan: { destinations } }: { plan: DrillPlan }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <TableScroll label={say('Who would go where')}>
      <table>
        <ColumnHeads columns={nameColumns(language)} />
        <tbody>
          {destinations.map(({ unit, refuge }, index) => (
            <tr key={unit.serviceId}>
              <td class="number">{index + 1}</td>
              <th scope="row">
                <a href={`/services/${unit.serviceId}`}>{unit.name}</a>
                <div class="muted">
                  {[unit.locationName, say(TEMPERATURE_CLASSES[unit.temperatureClass])]
                    .filter((part) => part !== null)
                    .join(' · ')}
                </div>
              </th>
              <td class="number">{unit.racks}</td>
              <td>
                {refuge ? (
                  <>
                    <a href={`/services/${refuge.serviceId}`}>{refuge.name}</a>
                    {refuge.locationName !== null && <div class="muted">{refuge.locationName}</div>}
                  </>
                ) : (
                  <strong>{say('No room')}</strong>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};

const Keep = ({ visitor, drill: { organizationId, wanted } }: Omit<PlanProps, 'plan'>) => {
  const { say } = useLanguage();
  return (
    <form class="card narrow not-printed" method="post" action={DRILLS}>
      <h2>{say('Keep this as a drill')}</h2>
      <p class="muted">{say('With what it comes to now, for the report of the year.')}</p>
      <input type="hidden" name="organization" value={organizationId} />
      <input type="hidden" name="location" value={writeWantedPlace(wanted) ?? ''} />
      <Field
        name="held_on"
        label={say('Held on')}
        input={{
          type: 'date',
          value: formatLocalInput(visitor.now, visitor.timezone).slice(0, 10),
          required: true,
        }}
      />
      <div class="field">
        <label for="remarks">{say('Remarks')}</label>
        <textarea id="remarks" name="remarks" rows={3} maxLength={MOST_REMARKS} />
      </div>
      <button type="submit">{say('Keep this drill')}</button>
    </form>
  );
};
