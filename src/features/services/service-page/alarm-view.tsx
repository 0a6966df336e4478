import { sayToPeople } from '../../../domain/words/alarm-message.ts';
import { Time } from '../../../platform/html/time.tsx';
import { VerbForm } from '../shown-service/page-form.tsx';
import type { Sentence } from '../why/why-words.ts';
import type { Standing } from './page-model.ts';

export const AlarmCard = (standing: Standing) => {
  const { service, state, why, can, values } = standing;
  const alarming = values.find(({ channel }) => channel === service.alarmChannel);
  return (
    <section
      class={`card alarm-card alarm-card-${state.severity}`}
      aria-labelledby="alarm-title"
      data-part="alarm"
    >
      <h2 id="alarm-title" data-part="headline">
        {headline(standing)}
      </h2>
      {alarming && (
        <p data-part="value">
          <strong class="alarm-value">{alarming.value}</strong>{' '}
          <span class="muted">{service.staleSince ? 'last known' : 'now'}</span>
        </p>
      )}
      <ul class="why" data-part="why">
        {why.map((sentence, index) => (
          <li key={index}>
            <Said {...sentence} />
          </li>
        ))}
      </ul>
      {can.operate && (
        <div class="verbs" data-part="verbs">
          {can.acknowledge && <AcknowledgeForm {...standing} />}
          {can.unacknowledge && (
            <VerbForm serviceId={service.id} verb="unacknowledge" class="verb" replaces="#state">
              <button type="submit">Remove acknowledgement</button>
            </VerbForm>
          )}
          {service.isMuted ? (
            <VerbForm serviceId={service.id} verb="unmute" class="verb" replaces="#state">
              <button type="submit">Unmute</button>
            </VerbForm>
          ) : (
            <MuteForm {...standing} />
          )}
        </div>
      )}
    </section>
  );
};

function headline({ service, state }: Standing): string {
  if (state.severity === 'stale') return 'No data comes in';
  if (service.severity === 'normal') return 'All is well';
  const channel = service.channels.find(({ name }) => name === service.alarmChannel) ?? null;
  return service.message === null ? state.label : sayToPeople(service.message, channel, service.alarmValue);
}

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

const MuteForm = ({ service }: Standing) => (
  <VerbForm serviceId={service.id} verb="mute" class="verb" replaces="#state">
    <label for="mute-reason">Reason for muting (optional)</label>
    <div class="actions">
      <input id="mute-reason" name="reason" autocomplete="off" maxLength={2000} />
      <button type="submit">Mute</button>
    </div>
  </VerbForm>
);
