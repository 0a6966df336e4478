// What of a source was refused, and why. An open page renews it by itself.

import { PostForm } from '../../engine/pages/post-form.tsx';
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Live } from '../../platform/html/live.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { heardLive } from './heard-live.ts';
import { SOURCES } from './paths.ts';

export interface RefusalModel {
  reason: string;
  count: number;
  last: ShownTime;
  sample: string;
}

interface RefusalsProps {
  frame: Pick<SettingsFrame, 'organization' | 'visitor'>;
  sourceId: number;
  refusals: RefusalModel[];
}

export const RefusalsSection = (props: RefusalsProps) => {
  const { say } = useLanguage();
  return (
    <section class="card" aria-labelledby="refused-title">
      <h2 id="refused-title">{say('What was refused')}</h2>
      <Refusals {...props} />
    </section>
  );
};

/** What the page asks for again. */
export const Refusals = ({ frame, sourceId, refusals }: RefusalsProps) => {
  const { say } = useLanguage();
  return (
    <Live id="refusals" {...heardLive(frame, sourceId)}>
      <div data-part="refusals">
        {refusals.length === 0 ? (
          <p data-part="none">
            {say('Nothing. Whatever was refused would be listed here, with the reason.')}
          </p>
        ) : (
          <>
            <ul class="rows" data-part="rows">
              {refusals.map((refusal) => (
                <RefusalRow key={refusal.reason} {...refusal} />
              ))}
            </ul>
            <div data-part="forget">
              <PostForm organization={frame.organization} action={`${SOURCES}/${sourceId}/forget`}>
                <button type="submit">{say('Forget these')}</button>
              </PostForm>
            </div>
          </>
        )}
      </div>
    </Live>
  );
};

/** Parts of their own: what somebody has opened stays open while it is counted on. */
const RefusalRow = ({ reason, count, last, sample }: RefusalModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <li data-part={`refusal ${reason}`}>
      <div>
        <span data-part="told">
          {reason}{' '}
          <span class="muted">
            {sayWith(language, '{count, plural, one {once} other {# times}}, last {when}', {
              count,
              when: <Time {...last} />,
            })}
          </span>
        </span>
        {sample !== '' && (
          <details data-part="sample">
            <summary>{say('What came')}</summary>
            <pre>
              <code>{sample}</code>
            </pre>
          </details>
        )}
      </div>
    </li>
  );
};
