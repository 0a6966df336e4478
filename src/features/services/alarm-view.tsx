import { Time } from '../../platform/html/time.tsx';
import { VerbForm } from './page-form.tsx';
import type { ServicePageModel } from './page-model.ts';
import type { Sentence } from './why-words.ts';

export const AlarmCard = (page: ServicePageModel) => {
  const { service, state, why, can } = page;
  return (
    <section class={`card alarm-card alarm-card-${state.severity}`} aria-labelledby="alarm-title">
      <h2 id="alarm-title">{headline(page)}</h2>
      <ul class="why">
        {why.map((sentence, index) => (
          <li key={index}>
            <Said {...sentence} />
          </li>
        ))}
      </ul>
      {can.operate && (
        <div class="verbs">
          {can.acknowledge && <AcknowledgeForm {...page} />}
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
            <MuteForm {...page} />
          )}
        </div>
      )}
    </section>
  );
};

function headline({ service, state }: ServicePageModel): string {
  if (state.severity === 'stale') return 'No data comes in';
  return service.severity === 'normal' ? 'All is well' : (service.message ?? state.label);
}

const Said = ({ before, at, after }: Sentence) => (
  <>
    {before}
    {at && <Time {...at} />}
    {after}
  </>
);

const AcknowledgeForm = ({ service }: ServicePageModel) => (
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

const MuteForm = ({ service }: ServicePageModel) => (
  <VerbForm serviceId={service.id} verb="mute" class="verb" replaces="#state">
    <label for="mute-reason">Reason for muting (optional)</label>
    <div class="actions">
      <input id="mute-reason" name="reason" autocomplete="off" maxLength={2000} />
      <button type="submit">Mute</button>
    </div>
  </VerbForm>
);
