import type { ComponentChildren, VNode } from 'preact';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Period, Time } from '../../platform/html/time.tsx';
import type { BesideModel } from './beside-model.ts';

/** Beside the places: who is there, what is not heard, and who would not be reached. */
export const Beside = (board: BesideModel) => (
  <>
    <OnCall {...board} />
    <NotHeard {...board} />
    <Gaps {...board} />
  </>
);

const Named = ({ path, organization, children }: NamedProps) => (
  <>
    {path === null ? <strong>{children}</strong> : <a href={path}>{children}</a>}
    {organization !== null && <span class="muted"> · {organization}</span>}
  </>
);

interface NamedProps {
  path: string | null;
  organization: string | null;
  children: ComponentChildren;
}

const PlainList = ({ children }: { children: VNode[] | undefined }) =>
  children && children.length > 0 ? <ul class="plain-list">{children}</ul> : null;

const OnCall = ({ onCall, moreOnCall }: BesideModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('On call now')}</h2>
      {onCall.length === 0 && (
        <p class="muted">{say('There is no rota: whoever stands in a group is notified.')}</p>
      )}
      <PlainList>
        {onCall.map(({ rotaId, rota, organizationName, name, until }) => (
          <li key={rotaId}>
            <div>
              {name === null ? <strong class="untold">{say('Nobody')}</strong> : <strong>{name}</strong>}
              {until && (
                <span class="muted"> {sayWith(language, 'until {time}', { time: <Time {...until} /> })}</span>
              )}
            </div>
            <div class="muted">
              {rota}
              {organizationName !== null && ` · ${organizationName}`}
            </div>
          </li>
        ))}
      </PlainList>
      <p>
        <a class="lone-link" href="/on-call">
          {moreOnCall > 0
            ? say('All rotas, {count} more', { count: moreOnCall })
            : say('Who is on call, and who would be notified')}
        </a>
      </p>
    </section>
  );
};

const NotHeard = ({ unheard, hasMoreUnheard }: BesideModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('Not heard')}</h2>
      {unheard.length === 0 && <p class="muted">{say('Every source and gateway is heard.')}</p>}
      <PlainList>
        {unheard.map(({ kind, id, name, organizationName, path, last }) => (
          <li key={`${kind}-${id}`}>
            <div>
              <Named path={path} organization={organizationName}>
                {name}
              </Named>
            </div>
            <div class="muted">
              {kind === 'gateway'
                ? sayWith(language, 'gateway, stale since {time}', { time: last ? <Time {...last} /> : '' })
                : last === null
                  ? say('source, never heard')
                  : sayWith(language, 'source, last heard {time}', { time: <Time {...last} /> })}
            </div>
          </li>
        ))}
      </PlainList>
      {hasMoreUnheard && <p class="muted">{say('There are more.')}</p>}
    </section>
  );
};

const Gaps = ({ gaps }: BesideModel) => {
  const { say } = useLanguage();
  return (
    <section class="card">
      <h2>{say('In the next 24 hours')}</h2>
      {gaps === null ? (
        <p class="muted">{say('Looking whether everybody would be reached …')}</p>
      ) : gaps.shown.length === 0 ? (
        <p class="muted">
          {gaps.groups === 0
            ? say('No unit notifies a group yet.')
            : say('A critical alarm reaches somebody of every group within 15 minutes.')}
        </p>
      ) : (
        <p>{say('A critical alarm would not reach enough people at these times:')}</p>
      )}
      <PlainList>
        {gaps?.shown.map(({ key, group, organizationName, path, kind, from, until }) => (
          <li key={key}>
            <div>
              <Named path={path} organization={organizationName}>
                {group}
              </Named>
            </div>
            <div>
              <span class={kind === 'nobody' ? 'untold' : 'muted'}>
                {kind === 'nobody' ? say('Nobody within 15 minutes') : say('Only mail within 15 minutes')}
              </span>{' '}
              <span class="muted">
                <Period from={from} until={until} />
              </span>
            </div>
          </li>
        ))}
      </PlainList>
      {gaps !== null && gaps.more > 0 && (
        <p class="muted">{say('and {count, plural, other {# more}}', { count: gaps.more })}</p>
      )}
    </section>
  );
};
