// What a chart can be made to show: a channel, others over it, a span of time by name, by steps or as it is typed.

import { moveSpan, type SpanMove } from '../../../domain/chart/move-span.ts';
import { MOST_OVER } from '../../../domain/chart/over-scale.ts';
import { message } from '../../../domain/language/message.ts';
import { formatTypedTime } from '../../../domain/local-time.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import type { Reader } from '../../../platform/html/time.tsx';
import { TimeField } from '../../../platform/html/time-field.tsx';
import { type ChartChoice, chartAddress } from './chart-address.ts';
import { RANGES, type RangeName } from './chart-range.ts';

export interface ChoicesProps {
  choice: ChartChoice;
  channels: { id: number; name: string; label: string }[];
  reader: Reader;
}

export const ChannelChoice = ({ choice, channels }: ChoicesProps) => {
  const { say } = useLanguage();
  const chosen = channels.find(({ name }) => name === choice.channel);
  const others = channels.filter(({ name }) => name !== choice.channel);
  return (
    <>
      <nav class="choices" aria-label={say('Channel')}>
        {channels.map(({ id, name, label }) => {
          const over = choice.over.filter((other) => other !== id);
          return (
            <a
              key={name}
              href={chartAddress({ ...choice, channel: name, over })}
              aria-current={id === chosen?.id ? 'true' : undefined}
            >
              {label}
            </a>
          );
        })}
      </nav>
      <details class="chart-over" open={choice.over.length > 0}>
        <summary>{say('Draw others over it')}</summary>
        <nav class="choices" aria-label={say('Drawn over it')}>
          {others.map(({ id, label }) => (
            <OverLink key={id} id={id} label={label} choice={choice} />
          ))}
        </nav>
      </details>
    </>
  );
};

const OverLink = ({ id, label, choice }: { id: number; label: string; choice: ChartChoice }) => {
  const { over } = choice;
  const isOver = over.includes(id);
  if (!isOver && over.length >= MOST_OVER) return null;
  const next = isOver ? over.filter((other) => other !== id) : [...over, id];
  return (
    <a href={chartAddress({ ...choice, over: next })} aria-current={isOver ? 'true' : undefined}>
      {label}
    </a>
  );
};

const MOVES = {
  // For translators: moves what a chart shows along the time
  earlier: ['←', message('Earlier')],
  // For translators: moves what a chart shows along the time
  later: ['→', message('Later')],
  // For translators: a chart shows half as much time
  closer: ['+', message('Closer')],
  // For translators: a chart shows twice as much time
  wider: ['−', message('Wider')],
} satisfies Record<SpanMove, readonly [string, string]>;

export const SpanChoice = ({ choice, reader }: Omit<ChoicesProps, 'channels'>) => {
  const { say } = useLanguage();
  const { range } = choice;
  const span = { from: range.from.getTime(), to: range.to.getTime() };
  const addressAfter = (move: SpanMove) => {
    const { from, to } = moveSpan(span, move, reader.now.getTime());
    return chartAddress({ ...choice, range: { from: new Date(from), to: new Date(to), name: null } });
  };
  return (
    <div class="span-choice">
      <nav class="choices" aria-label={say('Span of time')}>
        {(Object.entries(RANGES) as [RangeName, (typeof RANGES)[RangeName]][]).map(([name, [words]]) => (
          <a
            key={name}
            href={chartAddress({ ...choice, range: { ...range, name } })}
            data-range={name}
            aria-current={name === range.name ? 'true' : undefined}
          >
            {say(words)}
          </a>
        ))}
      </nav>
      <nav class="choices" aria-label={say('Move the chart')}>
        {(Object.entries(MOVES) as [SpanMove, (typeof MOVES)[SpanMove]][]).map(([move, [sign, words]]) => (
          <a key={move} href={addressAfter(move)} data-move={move} aria-label={say(words)} title={say(words)}>
            {sign}
          </a>
        ))}
      </nav>
      <SpanForm choice={choice} reader={reader} />
    </div>
  );
};

const SpanForm = ({ choice, reader }: Omit<ChoicesProps, 'channels'>) => {
  const { say, sayAs } = useLanguage();
  const { serviceId, channel, range, over } = choice;
  const fields = [
    ['from', sayAs('a time', 'From'), range.from],
    ['to', sayAs('a time', 'Until'), range.to],
  ] as const;
  return (
    <details class="span-form">
      <summary>{say('From and until')}</summary>
      <form method="get" action={`/services/${serviceId}#chart`} class="filter">
        <input type="hidden" name="channel" value={channel} />
        {over.length > 0 && <input type="hidden" name="over" value={over.join()} />}
        {fields.map(([name, label, at]) => (
          <TimeField
            key={name}
            id={`chart-${name}`}
            name={name}
            label={label}
            value={formatTypedTime(at, reader.timezone)}
          />
        ))}
        <button type="submit">{say('Show')}</button>
      </form>
    </details>
  );
};
