import { message } from '../../../domain/language/message.ts';
import { Page } from '../../../engine/pages/page.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { Field } from '../../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { UpLink } from '../../../platform/html/up-link.tsx';
import type { ShownService } from '../shown-service/queries.ts';
import { type ClearingFault, fieldsOf } from './change-clearing.ts';
import { type JudgedChannel, sayClearing } from './say-clearing.ts';

interface ClearingPageProps {
  visitor: Visitor;
  service: Pick<ShownService, 'id' | 'name'>;
  channels: readonly JudgedChannel[];
  canAdminister: boolean;
  refused: { field: string; fault: ClearingFault; typed: Record<string, string | undefined> } | null;
}

const FAULTS = {
  not_a_margin: message('Give a number of 0 or more.'),
  not_minutes: message('Give minutes from 0 to 1440.'),
} satisfies Record<ClearingFault, string>;

export const ClearingPage = ({ visitor, service, channels, canAdminister, refused }: ClearingPageProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page
      title={say('When an alarm ends: {service}', { service: service.name })}
      visitor={visitor}
      current="/services"
    >
      <UpLink path={`/services/${service.id}`} label={service.name} />
      <h1>{say('When an alarm ends')}</h1>
      <p>
        {say(
          'An alarm is over with the first reading within the limits. Where a value swings around its limit, alarms end and begin all the time: ask here that it be some way back first, or stay back for some minutes. When an alarm begins stays as it is, and new limits count at once.',
        )}
      </p>
      {refused && (
        <Notice kind="error">
          {say('Nothing was saved: one of the numbers cannot be used. It is marked below.')}
        </Notice>
      )}
      {channels.length === 0 ? (
        <p>
          {sayWith(
            language,
            'No channel of this service has limits yet, so there is no alarm to end. They are set on <a>its page</a>.',
            { a: (inside) => <a href={`/services/${service.id}?tab=limits#limits-title`}>{inside}</a> },
          )}
        </p>
      ) : canAdminister ? (
        <form class="card" method="post" action={`/services/${service.id}/clearing`}>
          {channels.map((channel) => (
            <ChannelFields key={channel.id} channel={channel} refused={refused} />
          ))}
          <button type="submit" class="button-primary">
            {say('Save')}
          </button>
        </form>
      ) : (
        <ul class="rows card">
          {channels.map((channel) => (
            <li key={channel.id}>{sayClearing(channel, language)}</li>
          ))}
        </ul>
      )}
    </Page>
  );
};

const ChannelFields = ({
  channel,
  refused,
}: {
  channel: JudgedChannel;
  refused: ClearingPageProps['refused'];
}) => {
  const { say } = useLanguage();
  const names = fieldsOf(channel.id);
  const errorAt = (field: string) => (refused?.field === field ? say(FAULTS[refused.fault]) : undefined);
  const typedOr = (field: string, stored: number) => refused?.typed[field] ?? String(stored);
  return (
    <fieldset>
      <legend>{channel.label}</legend>
      <div class="form-line">
        <Field
          name={names.margin}
          label={
            channel.unit === null
              ? say('Within its limit by')
              : say('Within its limit by ({unit})', { unit: channel.unit })
          }
          error={errorAt(names.margin)}
          input={{
            value: typedOr(names.margin, channel.clearMargin),
            inputmode: 'decimal',
            autocomplete: 'off',
          }}
        />
        <Field
          name={names.minutes}
          label={say('For minutes')}
          error={errorAt(names.minutes)}
          input={{
            value: typedOr(names.minutes, channel.clearMinutes),
            inputmode: 'decimal',
            autocomplete: 'off',
          }}
        />
      </div>
    </fieldset>
  );
};
