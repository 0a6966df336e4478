// A screen on the wall has no visitor: no navigation, nothing to click, nothing about people.
import { COUNT_WORDS, STATE_WORDS } from '../../domain/equipment/unit-state.ts';
import { Plan } from '../../engine/floor-plans/plan-view.tsx';
import { assetAddress } from '../../platform/html/asset-address.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import type { Tile, WallModel, WallState } from './wall-model.ts';

const REFRESH_SECONDS = 15;

const nameOf = ({ organizationName, locationName }: WallModel): string =>
  locationName === null ? organizationName : `${locationName} · ${organizationName}`;

export const WallPage = ({ wall }: { wall: WallModel }) => {
  const { tag, direction } = useLanguage();
  return (
    <html lang={tag} dir={direction === 'rtl' ? direction : undefined}>
      <head>
        <meta charset="utf-8" />
        <title>{`${nameOf(wall)} · Tocsin`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {/* With scripts the page renews its content in place, and can say so when it cannot. */}
        <noscript>
          <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
        </noscript>
        <link rel="stylesheet" href={assetAddress('tocsin.css')} />
        <link rel="icon" type="image/svg+xml" href={assetAddress('tocsin.svg')} />
        <script src={assetAddress('wall.js')} defer />
      </head>
      <body>
        <p class="wall-lost" role="alert" data-wall-lost hidden />
        <main id="content" class="wall" data-wall={REFRESH_SECONDS}>
          <WallContent wall={wall} />
        </main>
      </body>
    </html>
  );
};

const WallContent = ({ wall }: { wall: WallModel }) => {
  const { say } = useLanguage();
  return (
    <>
      <header class="wall-head">
        <h1>{nameOf(wall)}</h1>
        <p class="wall-day">{wall.now.day}</p>
        <p class="wall-clock" data-wall-clock={wall.now.ms} data-zone={wall.now.zone}>
          {wall.now.clock}
        </p>
      </header>
      {wall.isAllStale && (
        <p class="wall-notice" role="alert">
          {say('No service reports any more. What is shown here may be long past.')}
        </p>
      )}
      {wall.tiles.length === 0 ? <AllWell wall={wall} /> : <Tiles wall={wall} />}
      {wall.plan && <Plan {...wall.plan} isOnWall />}
      <Summary wall={wall} />
    </>
  );
};

const AllWell = ({ wall: { services, counts } }: { wall: WallModel }) => {
  const { say } = useLanguage();
  return (
    <section class="wall-well">
      {services === 0 || counts.unwatched > 0 ? (
        <p class="severity severity-unwatched">
          {services === 0 ? say('Nothing to watch yet') : say('Not everything is watched yet')}
        </p>
      ) : (
        <p class="severity severity-normal">{say('All is well')}</p>
      )}
      {services > 0 && (
        <p>
          {counts.unwatched > 0
            ? say('{watched} of {count, plural, one {# service} other {# services}} watched', {
                watched: services - counts.unwatched,
                count: services,
              })
            : say('{count, plural, one {# service watched} other {# services watched}}', { count: services })}
        </p>
      )}
    </section>
  );
};

const Tiles = ({ wall: { tiles, density, more } }: { wall: WallModel }) => {
  const { say } = useLanguage();
  return (
    <section aria-label={say('Alarms')} class="wall-alarms">
      <ul class={`wall-tiles wall-${density}`}>
        {tiles.map((tile) => (
          <WallTile key={tile.id} {...tile} />
        ))}
      </ul>
      {more > 0 && <p class="wall-more">{say('and {count, plural, other {# more}}', { count: more })}</p>}
    </section>
  );
};

const WallTile = ({ state, name, locationName, value, channel, details, lasted, since, marks }: Tile) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <li class={`wall-tile wall-tile-${state}`}>
      <p class="wall-tile-head">
        <span class={`severity severity-${state}`}>{say(STATE_WORDS[state])}</span>
        {marks.map((mark) => (
          <span key={mark} class="wall-mark">
            {mark}
          </span>
        ))}
      </p>
      <h2>{name}</h2>
      {value !== null ? (
        <p class="wall-value">
          {value} {channel !== null && <span class="wall-channel">{channel}</span>}
        </p>
      ) : (
        <p class="wall-value">{say('No data')}</p>
      )}
      {details.length > 0 && (
        <p class="wall-facts">
          {details.map(({ title, value: fact }) => (
            <span key={title}>
              {title} {typeof fact === 'string' ? fact : fact.label}
            </span>
          ))}
        </p>
      )}
      <p class="wall-where">
        {locationName !== null && <span class="wall-place">{locationName}</span>}
        <span class="wall-lasted">
          {sayWith(language, 'for <time>{lasted}</time>', {
            lasted,
            time: (inside) => (
              <time datetime={since.iso} title={since.title}>
                {inside}
              </time>
            ),
          })}
        </span>
      </p>
    </li>
  );
};

const COUNTED: WallState[] = ['critical', 'warning', 'stale', 'downtime', 'unwatched', 'normal'];

const Summary = ({ wall: { counts, dots, lastTelemetry, now } }: { wall: WallModel }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <footer class="wall-foot">
      <ul class="wall-counts" aria-label={say('Services by state')}>
        {COUNTED.filter((state) => counts[state] > 0).map((state) => (
          <li key={state}>
            <span class={`severity severity-${state}`}>
              {say(COUNT_WORDS[state], { count: counts[state] })}
            </span>
          </li>
        ))}
      </ul>
      {dots.length > 0 && (
        <ul class="wall-dots" aria-label={say('All equipment')}>
          {dots.map(({ id, name, state }) => {
            const said = say('{service}: {state}', { service: name, state: say(STATE_WORDS[state]) });
            return (
              <li key={id} class={`wall-dot wall-dot-${state}`} title={said}>
                <span class="unseen">{said}</span>
              </li>
            );
          })}
        </ul>
      )}
      <p class="wall-updated">
        {lastTelemetry
          ? sayWith(language, 'Last data <time>{ago}</time>', {
              ago: lastTelemetry.ago,
              time: (inside) => (
                <time datetime={lastTelemetry.at.iso} title={lastTelemetry.at.title}>
                  {inside}
                </time>
              ),
            })
          : say('No data yet')}{' '}
        ·{' '}
        {sayWith(language, 'Updated <time>{clock}</time> ({zone})', {
          clock: now.clock,
          zone: now.zone,
          time: (inside) => (
            <time datetime={now.shown.iso} title={now.shown.title}>
              {inside}
            </time>
          ),
        })}
      </p>
    </footer>
  );
};
