import type { SaidTelling } from '../../../domain/equipment/telling.ts';
import type { Missing as MissingPart } from '../../../domain/equipment/watching.ts';
import { english } from '../../../domain/language/english.ts';
import { sayToPeople } from '../../../domain/words/alarm-message.ts';
import { FactList, NewestValue } from '../../../engine/pages/alarm-facts.tsx';
import { settingsPath } from '../../../engine/pages/settings-path.ts';
import { editPath, Untold } from '../../../engine/pages/untold.tsx';
import { Time } from '../../../platform/html/time.tsx';
import { VerbForm } from '../shown-service/page-form.tsx';
import { sayMissing } from '../shown-service/service-state.ts';
import type { Sentence } from '../why/why-words.ts';
import type { Standing } from './page-model.ts';

export const AlarmCard = (standing: Standing) => {
  const { service, state, why, can, facts, telling, untold } = standing;
  return (
    <section
      class={`card alarm-card alarm-card-${state.severity}`}
      aria-labelledby="alarm-title"
      data-part="alarm"
    >
      <h2 id="alarm-title" data-part="headline">
        {headline(standing)}
      </h2>
      {facts && (
        <>
          <p data-part="value">
            <NewestValue {...facts} />
          </p>
          <FactList {...facts} />
        </>
      )}
      <ul class="why" data-part="why">
        {why.map((sentence, index) => (
          <li key={index}>
            <Said {...sentence} />
          </li>
        ))}
      </ul>
      <Missing {...standing} />
      {untold ? <Untold {...untold} /> : telling && <Told {...standing} telling={telling} />}
      {(can.acknowledge || can.unacknowledge) && (
        <div class="verbs" data-part="verbs">
          {can.acknowledge && <AcknowledgeForm {...standing} />}
          {can.unacknowledge && (
            <VerbForm serviceId={service.id} verb="unacknowledge" class="verb" replaces="#state">
              <div class="actions">
                <button type="submit">Remove acknowledgement</button>
                <a class="button" href={`/alarms/${service.id}/taken`}>
                  Cannot go, or hand over
                </a>
              </div>
            </VerbForm>
          )}
        </div>
      )}
    </section>
  );
};

function headline({ service, state, facts }: Standing): string {
  if (state.severity === 'stale') return 'No data comes in';
  if (state.severity === 'unwatched') return 'Not watched yet';
  if (service.severity === 'normal') return 'All is well';
  if (facts) return facts.said;
  const channel = service.channels.find(({ name }) => name === service.alarmChannel) ?? null;
  return service.message === null
    ? state.label
    : sayToPeople(service.message, channel, service.alarmValue, english);
}

/** The sentences above say what it means. */
const Missing = ({ service, state, can }: Standing) =>
  state.missing.length === 0 ? null : (
    <p data-part="missing">
      Missing: {sayMissing(state.missing)}.{' '}
      {can.administer &&
        state.missing.map((part) => {
          const [label, path] = findMend(part, service);
          return (
            <>
              <a key={part} href={path}>
                {label}
              </a>{' '}
            </>
          );
        })}
    </p>
  );

function findMend(part: MissingPart, service: Standing['service']): [label: string, path: string] {
  const { id, organizationId, deviceKeys } = service;
  if (part === 'limits') return ['Set limits', editPath(id)];
  const [key] = deviceKeys;
  const organization = { id: organizationId };
  return key === undefined
    ? ['Give it a device', settingsPath('/settings/devices', organization)]
    : ['See its device', settingsPath('/settings/devices', organization, { q: key })];
}

const Told = ({ telling, service, can }: Standing & { telling: SaidTelling }) => {
  const isSilent = telling.tells === 'nobody' || telling.tells === 'nothing';
  return (
    <p class={isSilent ? 'untold' : 'muted'} data-part="told">
      {telling.text} {isSilent && can.administer && <a href={editPath(service.id)}>Choose who is told</a>}
    </p>
  );
};

const Said = ({ before, at, after }: Sentence) => (
  <>
    {before}
    {at && <Time {...at} />}
    {after}
  </>
);

const AcknowledgeForm = ({ service }: Standing) => (
  <VerbForm serviceId={service.id} verb="acknowledge" class="verb" replaces="#state">
    <label for="comment">Comment (optional)</label>
    <div class="actions">
      <input id="comment" name="comment" autocomplete="off" maxLength={2000} />
      <button type="submit" class="button-primary">
        Acknowledge
      </button>
    </div>
  </VerbForm>
);
