import { isTrouble } from '../../domain/notifications/outcome.ts';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { DeliveryModel } from '../../engine/told/told-model.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Text, Time } from '../../platform/html/time.tsx';
import type { EpisodePageModel } from './episode-model.ts';
import { HISTORY } from './paths.ts';
import type { LineEntry } from './time-line.ts';

export const EpisodePage = ({ visitor, episode }: { visitor: Visitor; episode: EpisodePageModel }) => {
  const { say } = useLanguage();
  const { name, place, severity, servicePath, serviceId, chart, course, told, isForgotten } = episode;
  return (
    <Page
      title={say('Alarm of {name}', { name })}
      visitor={visitor}
      current={HISTORY}
      scripts={['chart.js']}
      styles={['chart.css']}
    >
      <div class="page-head">
        <a href={`${HISTORY}?service=${serviceId}`}>{say('History of {name}', { name })}</a>
        {servicePath !== null && <a href={servicePath}>{name}</a>}
      </div>
      <div class="service-head">
        <h1>{say('Alarm of {name}', { name })}</h1>
        <span class={`severity severity-${severity}`}>
          {severity === 'critical' ? say('Critical') : say('Warning')}
        </span>
      </div>
      <Place parts={place} />
      <p class="lead">{course}</p>
      <Facts {...episode} />
      {told.isNobody && <p class="untold">{say('Nobody was notified.')}</p>}
      <div class="episode">
        {chart && (
          <section class="card chart-card" aria-labelledby="curve-title">
            <h2 id="curve-title">{say('Curve')}</h2>
            {chart}
          </section>
        )}
        <section class="card" aria-labelledby="line-title">
          <h2 id="line-title">{say('What happened')}</h2>
          {isForgotten && <p class="muted">{say('Who was notified is no longer kept.')}</p>}
          <ol class="line">
            {episode.line.map((entry, index) => (
              <Entry key={index} {...entry} />
            ))}
          </ol>
        </section>
      </div>
    </Page>
  );
};

const Facts = ({ began, ended, lasted, worst, acknowledged, told }: EpisodePageModel) => {
  const { say } = useLanguage();
  return (
    <dl class="facts">
      <div>
        <dt>{say('Began')}</dt>
        <dd>
          <Time {...began} />
        </dd>
      </div>
      <div>
        <dt>{say('Ended')}</dt>
        <dd>{ended ? <Time {...ended} /> : <strong>{say('Still in alarm')}</strong>}</dd>
      </div>
      <div>
        <dt>{say('Lasted')}</dt>
        <dd>{ended ? lasted : say('{span} so far', { span: lasted })}</dd>
      </div>
      {worst !== null && (
        <div>
          <dt>{ended ? say('Worst value') : say('Worst so far')}</dt>
          <dd>{worst}</dd>
        </div>
      )}
      <div>
        <dt>{say('Acknowledged')}</dt>
        <dd>{acknowledged ? say('{by}, after {after}', acknowledged) : say('Nobody')}</dd>
      </div>
      <div>
        <dt>{say('Notified')}</dt>
        <dd>{told.words}</dd>
      </div>
    </dl>
  );
};

const Entry = ({ at, title, text, quote, deliveries, tone }: LineEntry) => (
  <li class={`line-entry line-${tone}`}>
    <Time {...at} />
    <div>
      <strong>{title}</strong>
      {text && (
        <p>
          <Text parts={text} />
        </p>
      )}
      {quote !== null && (
        <p>
          <q>{quote}</q>
        </p>
      )}
      {deliveries.length > 0 && (
        <ul class="rows">
          {deliveries.map((delivery, index) => (
            <Delivered key={index} {...delivery} />
          ))}
        </ul>
      )}
    </div>
  </li>
);

const Delivered = ({ recipient, outcome, words, at }: DeliveryModel) => (
  <li class={isTrouble(outcome) ? 'delivery delivery-trouble' : 'delivery'}>
    <span>{recipient}</span>
    <span class={outcome.state === 'left_out' ? 'muted' : undefined}>
      {words} {at && <Time {...at} />}
    </span>
  </li>
);
