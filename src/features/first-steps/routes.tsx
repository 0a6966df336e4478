import { message } from '../../domain/language/message.ts';
import { FIRST_STEPS, readFirstSteps, StepList } from '../../engine/pages/first-steps.tsx';
import { SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import { Live } from '../../platform/html/live.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { alone, arrived, FIRST_STEP_REFUSALS, test } from './change-first-steps.ts';

export interface FirstStepsDeps {
  db: Database;
  publicUrl: () => URL | null;
}

/** What became of a test is not told of. */
const EVERY_SECONDS = 5;

export const routeFirstSteps = (app: HttpServer, deps: FirstStepsDeps): void =>
  routeDesk(app, deps, {
    url: FIRST_STEPS,
    verbs: { test, arrived, alone },
    refusals: FIRST_STEP_REFUSALS,
    done: {
      test: message(
        'A test is on its way to everybody who is notified. This page says when it was handed over.',
      ),
      arrived: message('Good. Messages of this organization arrive.'),
      alone: message('Noted. You can still invite somebody, under Members.'),
    },
    show: async (visit, news) => {
      const model = await readFirstSteps(deps.db, visit.visitor, visit.organization.id);
      const { steps } = model;
      const { say } = visit.visitor.language;
      // A made-up lab has none.
      if (steps?.id !== visit.organization.id) return null;
      return (
        <SettingsPage
          title={say('First steps')}
          frame={frameOf(visit, news)}
          current={FIRST_STEPS}
          refreshSeconds={EVERY_SECONDS}
        >
          <Live
            id="steps"
            path={settingsPath(FIRST_STEPS, steps)}
            timeZone={visit.visitor.timezone}
            everySeconds={EVERY_SECONDS}
          >
            <section class="card first-steps" data-part="steps">
              {model.missing === null ? (
                <p>{say('A message has arrived. These steps are done.')}</p>
              ) : (
                <p>{say('They lead from the first reading to a message that arrived.')}</p>
              )}
              <StepList {...model} steps={steps} />
            </section>
          </Live>
        </SettingsPage>
      );
    },
  });
