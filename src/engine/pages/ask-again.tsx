// A browser that stays signed in may lie on a bench. Before what is dangerous it asks who is there; what was typed waits in the
// question and goes on with the password.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDangerous } from '../../domain/accounts/dangerous.ts';
import { isStorable } from '../../domain/storable-text.ts';
import type { Database } from '../../platform/db/database.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import { isFromAnotherSite } from '../../platform/http/same-origin.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { noteProved } from '../accounts/device-sessions.ts';
import { userAgentOf } from '../requests/requester-of.ts';
import { checkPassword } from '../sign-in/check-password.ts';
import type { SignInDeps } from '../sign-in/decide-attempt.ts';
import { answerPage } from './answer-page.ts';
import { Page } from './page.tsx';
import { findWayBack } from './page-routes.ts';
import { type Visitor, visitorOf } from './visitor.ts';

const PASSWORD = 'proof_password';

interface AskAgainDeps extends SignInDeps {
  db: Database;
  publicUrl: () => URL | null;
}

export function askAgain(app: HttpServer, deps: AskAgainDeps): void {
  app.addHook('preHandler', async (request, reply) => {
    const visitor = visitorOf(request);
    if (request.method !== 'POST' || !visitor?.mustProve || !isDangerous(request.routeOptions.url ?? ''))
      return;
    // Its own handler refuses it.
    if (isFromAnotherSite(request.headers, deps.publicUrl())) return;
    const { [PASSWORD]: password, ...form } = (request.body ?? {}) as FormFields;
    if (!Object.values(form).every(isStorable)) return;
    if (password === undefined || password === '') return ask(request, reply, visitor, form, null);
    const again = { visitor, userAgent: userAgentOf(request), now: request.now };
    const checked = await checkPassword(deps, again, password);
    if (!checked.ok) return ask(request, reply, visitor, form, checked.refusal);
    const { sessionId } = visitor;
    if (sessionId !== null) await deps.db.transaction((tx) => noteProved(tx, sessionId, request.now));
    request.body = form;
  });

  function ask(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    form: FormFields,
    fault: { status: number; text: string } | null,
  ): FastifyReply {
    const back = findWayBack(request, deps) ?? '/';
    const props = { visitor, action: request.url, form, back, fault: fault?.text ?? null };
    return answerPage(reply, fault?.status ?? 403, <AskAgainPage {...props} />);
  }
}

interface AskAgainProps {
  visitor: Visitor;
  action: string;
  form: FormFields;
  back: string;
  fault: string | null;
}

const AskAgainPage = ({ visitor, action, form, back, fault }: AskAgainProps) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Is it you?')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('Is it you?')}</h1>
        {fault !== null && <Notice kind="error">{fault}</Notice>}
        <p>
          {say(
            'This browser stays signed in as {name}. Before this is done, type your password. For 15 minutes you are not asked again.',
            { name: visitor.name },
          )}
        </p>
        <form method="post" action={action}>
          {Object.entries(form).map(
            ([name, value]) =>
              value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <Field
            name={PASSWORD}
            label={say('Password')}
            input={{ type: 'password', required: true, autocomplete: 'current-password' }}
          />
          <div class="actions">
            <button type="submit" class="button-primary">
              {say('Go on')}
            </button>
            <a class="button" href={back}>
              {say('Leave it as it is')}
            </a>
            <a class="button" href={`/login?${new URLSearchParams({ next: back })}`}>
              {say('Sign in with a passkey instead')}
            </a>
          </div>
        </form>
      </div>
    </Page>
  );
};
