import type { ComponentChildren } from 'preact';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Time } from '../../platform/html/time.tsx';
import { AdviceDetails } from './advice-view.tsx';
import type { PanelModel, StatusModel } from './panel-model.ts';

/** What follows an answer: it asks for news by itself, it offers the way back, or nothing. */
export type Next = 'polls' | 'offers_recommendation' | 'ends';

const readPath = (serviceId: number) => `/api/v1/services/${serviceId}/recommendation`;

interface FrameModel {
  serviceId: number;
  isPolling: boolean;
  children: ComponentChildren;
}

/** Of every answer, so that each can take the place of the one before. */
const Frame = ({ serviceId, isPolling, children }: FrameModel) => (
  <div
    id={`recommendation-${serviceId}`}
    class="recommendation"
    {...(isPolling && {
      'hx-get': readPath(serviceId),
      'hx-trigger': 'every 20s',
      'hx-swap': 'outerHTML',
    })}
  >
    {children}
  </div>
);

/** A button or form inside replaces the whole panel; without scripts a form leads back to the page of the service. */
const replacesPanel = { 'hx-target': 'closest .recommendation', 'hx-swap': 'outerHTML' };

export const Message = ({ serviceId, text, next }: { serviceId: number; text: string; next: Next }) => {
  const { say } = useLanguage();
  return (
    <Frame serviceId={serviceId} isPolling={next === 'polls'}>
      <p role="status">{text}</p>
      {next === 'offers_recommendation' && (
        <button type="button" hx-get={readPath(serviceId)} {...replacesPanel}>
          {say('Show the recommendation')}
        </button>
      )}
    </Frame>
  );
};

const RequestButton = ({ serviceId, label }: { serviceId: number; label: string }) => (
  <form
    hx-post={`/api/v1/services/${serviceId}/recommend`}
    {...replacesPanel}
    method="post"
    action={`/services/${serviceId}/recommend`}
  >
    <button type="submit">{label}</button>
  </form>
);

const ApplyButton = ({
  serviceId,
  serviceName,
  resultId,
  isUsable,
}: {
  serviceId: number;
  serviceName: string;
  resultId: string;
  isUsable: boolean;
}) => {
  const { say, sayAs } = useLanguage();
  return (
    <form
      hx-post={`/api/v1/services/${serviceId}/apply-recommendation`}
      hx-confirm={say('Replace limits of {service} with the proposed ones? All its acknowledgements end.', {
        service: serviceName,
      })}
      {...replacesPanel}
      method="post"
      action={`/services/${serviceId}/apply-recommendation`}
    >
      <input type="hidden" name="result_id" value={resultId} />
      <button type="submit" class="button-primary" disabled={!isUsable}>
        {sayAs('limits', 'Apply')}
      </button>
    </form>
  );
};

const Status = ({ status }: { status: StatusModel }) => {
  const language = useLanguage();
  const { say } = language;
  switch (status.state) {
    case 'none':
      return <p>{say('No recommendation has been requested.')}</p>;
    case 'pending':
      return (
        <p role="status">
          {sayWith(language, 'Recommendation pending: requested by {name}, {time}.', {
            name: status.requestedBy,
            time: <Time {...status.requestedAt} />,
          })}
        </p>
      );
    case 'failed':
      return (
        <>
          <p>
            {status.failedAt
              ? sayWith(language, 'Recommendation failed, {time}.', { time: <Time {...status.failedAt} /> })
              : say('Recommendation failed.')}
          </p>
          <p>{say('Reason: {reason}', { reason: status.reason })}</p>
        </>
      );
    case 'completed':
      return (
        <>
          <p>
            {status.finishedAt
              ? sayWith(language, 'Recommendation completed, {time}.', {
                  time: <Time {...status.finishedAt} />,
                })
              : say('Recommendation completed.')}
          </p>
          <AdviceDetails {...status.advice} />
        </>
      );
    case 'applied':
      return (
        <>
          <p>
            {status.appliedAt
              ? sayWith(language, 'Recommendation applied, {time}.', { time: <Time {...status.appliedAt} /> })
              : say('Recommendation applied.')}
          </p>
          <AdviceDetails {...status.advice} />
        </>
      );
  }
};

/** Only for administrators. */
const Actions = ({ serviceId, serviceName, status }: PanelModel) => {
  const { say } = useLanguage();
  switch (status.state) {
    case 'none':
      return <RequestButton serviceId={serviceId} label={say('Request a recommendation')} />;
    case 'pending':
      return null;
    case 'failed':
      return <RequestButton serviceId={serviceId} label={say('Try again')} />;
    case 'completed':
      return (
        <div class="actions">
          <ApplyButton
            serviceId={serviceId}
            serviceName={serviceName}
            resultId={status.resultId}
            isUsable={typeof status.advice.proposal !== 'string'}
          />
          <RequestButton serviceId={serviceId} label={say('Request a new recommendation')} />
        </div>
      );
    case 'applied':
      return <RequestButton serviceId={serviceId} label={say('Request a new recommendation')} />;
  }
};

export const RecommendationPanel = (panel: PanelModel) => (
  <Frame serviceId={panel.serviceId} isPolling={panel.status.state === 'pending'}>
    <Status status={panel.status} />
    {panel.canAdminister && <Actions {...panel} />}
  </Frame>
);
