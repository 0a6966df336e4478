import type { SaidTelling } from '../../../domain/equipment/telling.ts';
import type { Missing as MissingPart } from '../../../domain/equipment/watching.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayToPeople } from '../../../domain/words/alarm-message.ts';
import { FactList, NewestValue } from '../../../engine/pages/alarm-facts.tsx';
import { RefugeNote } from '../../../engine/pages/refuge-note.tsx';
import { RescuePart } from '../../../engine/pages/rescue-part.tsx';
import { settingsPath } from '../../../engine/pages/settings-path.ts';
import { editPath, Untold } from '../../../engine/pages/untold.tsx';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Text } from '../../../platform/html/time.tsx';
import { VerbForm } from '../shown-service/page-form.tsx';
import { SERVICE_STATES, sayMissing } from '../shown-service/service-state.ts';
import type { Standing } from './page-model.ts';

export const AlarmCard = (standing: Standing) => {
  const language = useLanguage();
  const { say } = language;
  const { service, state, why, can, facts, telling, untold } = standing;
  return (
    <section
      class={`card alarm-card alarm-card-${state.severity}`}
      aria-labelledby="alarm-title"
      data-part="alarm"
    >
      <h2 id="alarm-title" data-part="headline">
        {sayHeadline(standing, language)}
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
            <Text parts={sentence} />
          </li>
        ))}
      </ul>
      {standing.episodeId !== null && (
        <p data-part="episode">
          <a href={`/history/${standing.episodeId}`}>{say('What happened in this alarm')}</a>
        </p>
      )}
      {standing.rescue && <RescuePart {...standing.rescue} />}
      {standing.refuge && <RefugeNote {...standing.refuge} />}
      <Missing {...standing} />
      {untold ? <Untold {...untold} /> : telling && <Told {...standing} telling={telling} />}
      {(can.acknowledge || can.unacknowledge) && (
        <div class="verbs" data-part="verbs">
          {can.acknowledge && <AcknowledgeForm {...standing} />}
          {can.unacknowledge && (
            <VerbForm serviceId={service.id} verb="unacknowledge" class="verb" replaces="#state">
              <div class="actions">
                <button type="submit">{say('Remove acknowledgement')}</button>
                <a class="button" href={`/alarms/${service.id}/taken`}>
                  {say('Cannot go, or hand over')}
                </a>
              </div>
            </VerbForm>
          )}
        </div>
      )}
    </section>
  );
};

function sayHeadline({ service, state, facts }: Standing, language: Language): string {
  const { say } = language;
  if (state.severity === 'stale') return say('No data comes in');
  if (state.severity === 'unwatched') return say('Not watched yet');
  if (service.severity === 'normal') return say('All is well');
  if (facts) return facts.said;
  const channel = service.channels.find(({ name }) => name === service.alarmChannel) ?? null;
  return service.message === null
    ? say(SERVICE_STATES[state.severity])
    : sayToPeople(service.message, channel, service.alarmValue, language);
}

/** The sentences above say what it means. */
const Missing = ({ service, state, can }: Standing) => {
  const language = useLanguage();
  if (state.missing.length === 0) return null;
  return (
    <p data-part="missing">
      {language.say('Missing: {parts}.', { parts: sayMissing(state.missing, language) })}{' '}
      {can.administer &&
        state.missing.map((part) => {
          const [label, path] = findMend(part, service, language);
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
};

function findMend(
  part: MissingPart,
  { id, organizationId, deviceKeys: [key] }: Standing['service'],
  { say }: Language,
): [label: string, path: string] {
  if (part === 'limits') return [say('Set limits'), editPath(id)];
  const organization = { id: organizationId };
  return key === undefined
    ? [say('Give it a device'), settingsPath('/settings/devices', organization)]
    : [say('See its device'), settingsPath('/settings/devices', organization, { q: key })];
}

const Told = ({ telling, service, can }: Standing & { telling: SaidTelling }) => {
  const { say } = useLanguage();
  const isSilent = telling.tells === 'nobody' || telling.tells === 'nothing';
  return (
    <p class={isSilent ? 'untold' : 'muted'} data-part="told">
      {telling.text}{' '}
      {isSilent && can.administer && <a href={editPath(service.id)}>{say('Choose who is notified')}</a>}
    </p>
  );
};

const AcknowledgeForm = ({ service }: Standing) => {
  const { say } = useLanguage();
  return (
    <VerbForm serviceId={service.id} verb="acknowledge" class="verb" replaces="#state">
      <label for="comment">{say('Comment (optional)')}</label>
      <div class="actions">
        <input id="comment" name="comment" autocomplete="off" maxLength={2000} />
        <button type="submit" class="button-primary">
          {say('Acknowledge')}
        </button>
      </div>
    </VerbForm>
  );
};
