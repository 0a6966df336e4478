import type { ComponentChildren } from 'preact';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { Standing } from './acknowledge-by-personal-link.ts';
import { AlarmLines, type ShownAlarm } from './alarm-lines.tsx';

interface PersonalModel {
  /** Where the button leads. */
  action: string;
  standing: Standing;
  serviceId: number;
  serviceName: string;
  place: string[];
  isDrill: boolean;
  /** As whom it acknowledges. */
  person: string;
  timezone: string;
  until: ShownTime;
  usedAt: ShownTime | null;
  acknowledged: { by: string; at: ShownTime } | null;
  alarm: ShownAlarm | null;
}

/** Looking acknowledges nothing: programs that check links in mails look, too. */
export const PersonalPage = (model: PersonalModel) => {
  const language = useLanguage();
  const { say } = language;
  const { action, standing, serviceId, serviceName, place, isDrill, alarm, person, timezone, until } = model;
  return (
    <Page title={say('{serviceName}: acknowledge', { serviceName })} visitor={null}>
      <div class="narrow">
        <h1>{serviceName}</h1>
        <Place parts={place} />
        {isDrill && <p>{say('This is a drill, not a real alarm.')}</p>}
        {standing !== 'open' && <Verdict {...model} />}
        {alarm && <AlarmLines {...alarm} />}
        {standing === 'open' && (
          <>
            <form method="post" action={action}>
              <button type="submit" class="button-primary">
                {/* For translators: a button: whoever presses it says that they, {person}, take care of the alarm */}
                {say('Acknowledge as {person}', { person })}
              </button>
            </form>
            <p class="muted">
              {sayWith(
                language,
                'This link is yours alone. It works once, for this alarm, until {until}, and the record says that it was by link.',
                { until: <Time {...until} /> },
              )}
            </p>
          </>
        )}
        <p>
          {sayWith(language, 'For more, <a>look at the service</a>: that asks you to sign in.', {
            a: (inside) => <a href={`/services/${serviceId}`}>{inside}</a>,
          })}
        </p>
        <p class="muted">{say('Times are in {timezone}.', { timezone })}</p>
      </div>
    </Page>
  );
};

const Verdict = ({ standing, acknowledged, usedAt, person, serviceId }: PersonalModel) => {
  const language = useLanguage();
  const { say } = language;
  const a = (inside: ComponentChildren) => <a href={`/services/${serviceId}`}>{inside}</a>;
  const strong = (inside: ComponentChildren) => <strong>{inside}</strong>;
  switch (standing) {
    case 'open':
      return null;
    case 'acknowledged': {
      const who = acknowledged && { by: acknowledged.by, time: <Time {...acknowledged.at} /> };
      return (
        <Notice kind="done">
          {who &&
            (usedAt
              ? sayWith(language, 'Acknowledged by {by}, {time}, by this link.', who)
              : sayWith(language, 'This alarm is already acknowledged by {by}, {time}.', who))}{' '}
          {say('There is nothing left to do here.')}
        </Notice>
      );
    }
    case 'over':
      return (
        <Notice kind="done">
          {say('This alarm is over: the service is back to normal, so there is nothing to acknowledge.')}
        </Notice>
      );
    case 'used':
      return (
        <Notice kind="error">
          {/* For translators: whoever reads it must know that nobody takes care of the alarm now */}
          {sayWith(
            language,
            'This link has acknowledged once and cannot do it again. The alarm is <strong>not acknowledged</strong> now: <a>sign in</a> to do it.',
            { strong, a },
          )}
        </Notice>
      );
    case 'newer_alarm':
      return (
        <Notice kind="error">
          {/* For translators: whoever reads it must know that nobody takes care of the newer alarm by this link */}
          {sayWith(
            language,
            'The alarm in your message is over, but a new one has begun since. It is <strong>not acknowledged</strong> by this link: use the newest message.',
            { strong },
          )}
        </Notice>
      );
    case 'too_old':
      return (
        <Notice kind="error">
          {/* For translators: whoever reads it must know that nobody takes care of the alarm yet */}
          {sayWith(
            language,
            'Not acknowledged: this link was good for 24 hours. <a>Sign in</a> to acknowledge.',
            { a },
          )}
        </Notice>
      );
    case 'not_allowed':
      return (
        <Notice kind="error">
          {/* For translators: whoever reads it must know that nobody takes care of the alarm yet */}
          {sayWith(
            language,
            'Not acknowledged: {person} may not acknowledge by link any more. <a>Sign in</a>, or call a colleague.',
            { person, a },
          )}
        </Notice>
      );
  }
};

/** For a link that never was as for one that its owner has ended. */
export const UnknownPersonalPage = () => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Link not found')} visitor={null}>
      <div class="narrow">
        <h1>{say('Nothing was acknowledged')}</h1>
        <p>
          {sayWith(
            language,
            'This link is not known, or it has ended: signing out or a new password ends all that were sent before. <a>Sign in</a> to see the alarms.',
            { a: (inside) => <a href="/">{inside}</a> },
          )}
        </p>
      </div>
    </Page>
  );
};
