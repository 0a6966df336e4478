// The door card: for whoever stands before a unit, on a phone in the dark, without a script.
import { ALL_GUIDANCE_FIELDS } from '../../domain/guidance/guidance.ts';
import { message } from '../../domain/language/message.ts';
import { FactList, NewestValue } from '../../engine/pages/alarm-facts.tsx';
import { GuidanceFacts } from '../../engine/pages/guidance-parts.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { RefugeNote } from '../../engine/pages/refuge-note.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type CardModel, DOOR_STATES } from './card-model.ts';

interface CardProps {
  card: CardModel;
  /** Where it is. */
  path: string;
  /** For those who have an account. */
  signIn: string;
  /** Why nobody is told again; null: nothing was refused. */
  refused: string | null;
}

export const CardPage = ({ card, path, signIn, refused }: CardProps) => {
  const { say } = useLanguage();
  return (
    <Page title={card.name} visitor={null}>
      <div class="narrow door">
        <h1>{card.name}</h1>
        <Place parts={card.place} />
        {refused !== null && <Notice kind="error">{refused}</Notice>}
        <State {...card} />
        <p class="door-leave">
          <strong>{say('Do not switch it off, and do not unplug it.')}</strong>
        </p>
        {card.refuge && <RefugeNote {...card.refuge} />}
        {card.alarm && <Known {...card.alarm} />}
        {card.alarm && (
          <form method="post" action={`${path}/here`}>
            <button type="submit" class="button-primary door-here">
              {say('I am here')}
            </button>
            <p class="muted">{say('Nothing is said of who you are.')}</p>
          </form>
        )}
        {card.guidance && <GuidanceFacts found={card.guidance} shows={ALL_GUIDANCE_FIELDS} />}
        <p class="muted">
          {(card.facts || card.refuge) && `${say('Times are in {timezone}.', { timezone: card.zone })} `}
          <a href={path}>{say('Look again')}</a> · <a href={signIn}>{say('Sign in')}</a>
        </p>
      </div>
    </Page>
  );
};

const State = ({ state, lasted, facts, isMuted, isInDowntime, alarm }: CardModel) => {
  const { say } = useLanguage();
  return (
    <section class={`card alarm-card alarm-card-${state}`} aria-label={say('State')}>
      <p>
        <span class={`severity severity-${state}`}>{say(DOOR_STATES[state])}</span>{' '}
        {lasted !== null && say('for {span}', { span: lasted })}
      </p>
      {state === 'normal' && <p>{say('There is no alarm.')}</p>}
      {state === 'stale' && <p>{say('No data comes in, so nobody knows how it stands.')}</p>}
      {state === 'unwatched' && <p>{say('It is not watched: nobody hears of what goes wrong here.')}</p>}
      {facts && (
        <>
          <p>
            <NewestValue {...facts} />
          </p>
          <p>{facts.said}</p>
          <FactList {...facts} />
        </>
      )}
      {isMuted && alarm && <p>{say('It is muted: nobody is notified at present.')}</p>}
      {isInDowntime && <p>{say('It is in downtime: somebody works at it, or means to.')}</p>}
    </section>
  );
};

const NOTIFIED = {
  yes: message('People were notified of the alarm.'),
  soon: message('People are being notified of the alarm.'),
  nobody: message('Nobody was notified of the alarm: call somebody.'),
} as const;

const ARRIVED = {
  waiting: message('Somebody said {ago} ago that they are here. It is being passed on.'),
  released: message(
    'Somebody said {ago} ago that they are here. Whoever was notified of the alarm is notified of it.',
  ),
  held: message('Somebody said {ago} ago that they are here. Nobody is notified of that: call somebody.'),
  dropped: message('Somebody said {ago} ago that they are here. Nobody is notified of that: call somebody.'),
} as const;

const Known = ({ notified, taken, arrived }: NonNullable<CardModel['alarm']>) => {
  const { say } = useLanguage();
  return (
    <ul class="why">
      <li>{say(NOTIFIED[notified])}</li>
      {taken ? (
        <li>
          {taken.by === null
            ? say('Somebody took it on {ago} ago.', { ago: taken.ago })
            : say('{name} took it on {ago} ago.', { name: taken.by, ago: taken.ago })}{' '}
          {taken.comment !== null && <q>{taken.comment}</q>}
        </li>
      ) : (
        <li>{say('Nobody has taken it on yet.')}</li>
      )}
      {arrived && <li>{say(ARRIVED[arrived.state], { ago: arrived.ago })}</li>}
    </ul>
  );
};
