// What is reserved for a unit or in it, and what was moved: each with what became of it.
import { Fragment } from 'preact';
import type { Settling } from '../../domain/rescue/settle-reservation.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Holding } from '../../engine/rescue/reservation-rows.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { showTime, Time } from '../../platform/html/time.tsx';

interface HoldingsProps {
  visitor: Visitor;
  title: string;
  holdings: readonly Holding[];
  /** Seen from where the racks go, or from where they come. */
  at: 'refuge' | 'unit';
  canOperate: boolean;
}

export const Holdings = ({ visitor, title, holdings, at, canOperate }: HoldingsProps) =>
  holdings.length === 0 ? null : (
    <section class="card">
      <h2>{title}</h2>
      <ul class="rows">
        {holdings.map((holding) => (
          <li key={holding.id}>
            <HoldingRow visitor={visitor} holding={holding} at={at} />
            {canOperate && <Acts holding={holding} at={at} />}
          </li>
        ))}
      </ul>
    </section>
  );

type RowProps = { holding: Holding; at: HoldingsProps['at'] };

const HoldingRow = ({ visitor, holding, at }: RowProps & { visitor: Visitor }) => {
  const { say } = useLanguage();
  const { id, unitName, refugeName, locationName, racks } = holding;
  const where = at === 'refuge' ? [unitName] : [refugeName, locationName];
  return (
    <div id={`reservation-${id}`}>
      {where.filter((part) => part !== null).join(', ')}:{' '}
      {say('{count, plural, one {# rack} other {# racks}}', { count: racks })}{' '}
      <span class="muted">
        <Standing visitor={visitor} holding={holding} />
      </span>
    </div>
  );
};

const Standing = ({ visitor, holding }: { visitor: Visitor; holding: Holding }) => {
  const language = useLanguage();
  const { by, at, until, state, movedBy, movedAt } = holding;
  if (state === 'returned') return <>{language.say('back again')}</>;
  if (state === 'moved')
    return (
      <>
        {sayWith(language, 'moved in by {by}, {time}', {
          by: movedBy ?? by,
          time: <Time {...showTime(movedAt ?? at, visitor)} />,
        })}
      </>
    );
  const facts = {
    by,
    time: <Time {...showTime(at, visitor)} />,
    until: <Time {...showTime(until, visitor)} />,
  };
  return until > visitor.now ? (
    <>{sayWith(language, 'by {by}, {time}, until {until}', facts)}</>
  ) : (
    <>
      {sayWith(
        language,
        'by {by}, {time}, over since {until}: it keeps no room any more. Was it moved?',
        facts,
      )}
    </>
  );
};

const ACTS: Record<Holding['state'], Settling[]> = {
  open: ['moved-in', 'release-refuge'],
  moved: ['back-again', 'undo-moved-in'],
  returned: ['undo-back-again'],
};

const Acts = ({ holding: { id, serviceId, refugeId, state }, at }: RowProps) => {
  const { say } = useLanguage();
  const labels: Record<Settling, string> = {
    'moved-in': say('Moved in'),
    'release-refuge': say('Not needed'),
    'back-again': say('Back again'),
    'undo-moved-in': say('Undo'),
    'undo-back-again': say('Undo'),
  };
  return (
    <div class="actions">
      {ACTS[state].map((act) => (
        <Fragment key={act}>
          <form method="post" action={`/alarms/${serviceId}/${act}`}>
            <input type="hidden" name="reservation" value={id} />
            {at === 'refuge' && <input type="hidden" name="refuge" value={refugeId} />}
            <button
              type="submit"
              class={act === 'moved-in' ? 'button-primary' : undefined}
              id={`${act}-${id}`}
              aria-labelledby={`${act}-${id} reservation-${id}`}
            >
              {labels[act]}
            </button>
          </form>
        </Fragment>
      ))}
    </div>
  );
};
