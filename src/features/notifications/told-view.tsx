import { isTrouble } from '../../domain/notifications/outcome.ts';
import { type OutcomeVerdict, sayWell } from '../../domain/notifications/verdict.ts';
import type { DeliveryModel, ToldModel } from '../../engine/told/told-model.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Text, Time } from '../../platform/html/time.tsx';

/** The panel of a service's page, and the whole of its page of notifications. */
export const ToldList = ({ told }: { told: ToldModel[] }) => {
  const { say } = useLanguage();
  return told.length === 0 ? (
    <p>{say('There are no notifications of this service yet.')}</p>
  ) : (
    <ol class="told">
      {told.map((notification) => (
        <li key={notification.id}>
          <Told {...notification} />
        </li>
      ))}
    </ol>
  );
};

export const Told = ({
  heading: Heading = 'h3',
  title,
  message,
  at,
  decision,
  deliveries,
}: ToldModel & { heading?: 'h2' | 'h3' }) => (
  <article class="card">
    <Heading>{title}</Heading>
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
      {deliveries.map(({ recipient, outcome, words, at }, index) => (
        <li key={index} class={isTrouble(outcome) ? 'delivery delivery-trouble' : 'delivery'}>
          <span>{recipient}</span>
          <span class={outcome.state === 'left_out' ? 'muted' : undefined}>
            {words} {at && <Time {...at} />}
          </span>
        </li>
      ))}
    </ul>
  );

/** What a test or a drill has shown, for those who administer; nothing while it is under way. */
export const VerdictNotice = ({ verdict }: { verdict: OutcomeVerdict }) => {
  const language = useLanguage();
  if (verdict.kind === 'under_way') return null;
  if (verdict.kind === 'well') return <Notice kind="done">{sayWell(verdict, language)}</Notice>;
  return (
    <Notice kind="error">
      {verdict.words}
      {verdict.kept > 0 && <KeptMailLink />}
    </Notice>
  );
};

export const KeptMailLink = () => {
  const language = useLanguage();
  return (
    <>
      {' '}
      {sayWith(language, '<a>Unsent mail</a> has it, and says how mail can leave.', {
        a: (inside) => <a href="/settings/mail">{inside}</a>,
      })}
    </>
  );
};
