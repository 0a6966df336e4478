// The rows of the alarms, where many of one place fold away behind a line.
import { COUNT_WORDS } from '../../domain/equipment/unit-state.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { SEVERITIES } from './alarm-filter.ts';
import { type Fold, foldRows } from './fold-rows.ts';
import type { AlarmRowModel } from './row-model.ts';
import { AlarmTable } from './views.tsx';

/** More are shown close together where there is little room. */
const FEW_ROWS = 6;

export const FoldedAlarms = ({ alarms }: { alarms: AlarmRowModel[] }) => {
  const { say } = useLanguage();
  const isDense = alarms.length > FEW_ROWS;
  const blocks = foldRows(alarms);
  if (blocks.every(({ key }) => key === null)) return <AlarmTable alarms={alarms} isDense={isDense} />;
  return (
    <>
      {blocks.map((block, index) =>
        block.key === null ? (
          <div key={`rows-${index}`} class="fold-rows" data-part={`rows-${index}`}>
            <AlarmTable
              alarms={block.rows}
              label={say('Active alarms, part {nth}', { nth: index + 1 })}
              isDense
            />
          </div>
        ) : (
          <Folded key={block.key} fold={block} />
        ),
      )}
    </>
  );
};

const Folded = ({ fold: { key, by, rows, opensBy } }: { fold: Fold<AlarmRowModel> }) => {
  const { say } = useLanguage();
  const name = `fold-${key}`;
  const [first] = rows;
  const place =
    by === 'source'
      ? say('Of the source {name}', { name: first?.sourceName ?? '' })
      : (first?.place.join(' · ') ?? '');
  return (
    <details class="fold" data-part={name} data-opens={opensBy ?? undefined} open={opensBy !== null}>
      <summary data-part={`${name}-head`}>
        <strong>{place}</strong>{' '}
        {SEVERITIES.map(
          (severity) => [severity, rows.filter((row) => row.severity === severity).length] as const,
        )
          .filter(([, count]) => count > 0)
          .map(([severity, count]) => (
            <span key={severity} class={`severity severity-${severity}`}>
              {say(COUNT_WORDS[severity], { count })}
            </span>
          ))}
      </summary>
      <div class="fold-rows" data-part={`${name}-rows`}>
        <AlarmTable alarms={rows} label={say('Active alarms: {place}', { place })} isDense />
      </div>
    </details>
  );
};
