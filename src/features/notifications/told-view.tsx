import { Text, Time } from '../../platform/html/time.tsx';
import type { DeliveryModel, ToldModel } from './told-model.ts';

/** The panel of a service's page, and the whole of its page of notifications. */
export const ToldList = ({ told }: { told: ToldModel[] }) =>
  told.length === 0 ? (
    <p>Nothing has been told of this service yet.</p>
  ) : (
    <ol class="told">
      {told.map((notification) => (
        <li key={notification.id}>
          <Told {...notification} />
        </li>
      ))}
    </ol>
  );

export const Told = ({ title, message, at, decision, deliveries }: ToldModel) => (
  <article class="card">
    <h3>{title}</h3>
    <p class="muted">
      <Time {...at} />
    </p>
    <p>
      <Text parts={message} />
    </p>
    <p>
      <Text parts={decision} />
    </p>
    <DeliveryList deliveries={deliveries} />
  </article>
);

export const DeliveryList = ({ deliveries }: { deliveries: DeliveryModel[] }) =>
  deliveries.length === 0 ? null : (
    <ul class="rows">
      {deliveries.map(({ recipient, outcome, state, at }, index) => (
        <li key={index} class={`delivery delivery-${state}`}>
          <span>{recipient}</span>
          <span>
            {outcome} {at && <Time {...at} />}
          </span>
        </li>
      ))}
    </ul>
  );
