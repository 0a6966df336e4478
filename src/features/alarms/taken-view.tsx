// The page of an alarm that somebody has taken: how it stands, and what they can do if they cannot go.

import type { ActNotice } from '../../domain/words/act-words.ts';
import { FactList, NewestValue } from '../../engine/pages/alarm-facts.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { TakenActions, TakenGuidance, type TakenModel, TakeOver } from '../../engine/pages/taken-alarm.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Text } from '../../platform/html/time.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import type { AlarmRowModel } from './row-model.ts';
import { Acknowledged } from './views.tsx';

export const takenPath = (serviceId: number): string => `/alarms/${serviceId}/taken`;

interface TakenPageProps {
  visitor: Visitor;
  service: { id: number; name: string; place: string[] };
  alarm: AlarmRowModel | null;
  taken: TakenModel;
  news: ActNotice | null;
}

export const TakenPage = ({ visitor, service, alarm, taken, news }: TakenPageProps) => {
  const { say } = useLanguage();
  return (
    <Page title={service.name} visitor={visitor} current="/">
      <UpLink path="/" label={say('All alarms')} />
      <div class="narrow">
        <h1>{service.name}</h1>
        <Place parts={service.place} />
        {news && <Notice kind={news.kind}>{news.text}</Notice>}
        <TakeOver {...taken} />
        {alarm ? <Standing {...alarm} /> : <p>{say('The alarm is over: there is nothing left to do.')}</p>}
        <TakenGuidance {...taken} />
        <TakenActions {...taken} />
        <p class="actions">
          <a class="button" href={`/services/${service.id}`}>
            {say('Look at the service')}
          </a>
          <a class="button" href={`/services/${service.id}/notifications`}>
            {say('Who was notified')}
          </a>
        </p>
      </div>
    </Page>
  );
};

const Standing = ({ severity, severityLabel, facts, message, acknowledgement }: AlarmRowModel) => {
  const { say } = useLanguage();
  return (
    <>
      {facts && (
        <p>
          <NewestValue {...facts} />
        </p>
      )}
      <p>
        <span class={`severity severity-${severity}`}>{severityLabel}</span> <Text parts={message} />
      </p>
      {facts && <FactList {...facts} />}
      <p>{acknowledgement ? <Acknowledged {...acknowledgement} /> : say('Nobody has acknowledged it.')}</p>
    </>
  );
};
