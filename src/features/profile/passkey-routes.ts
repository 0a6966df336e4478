import type { PasskeyId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { sayMost } from '../../domain/mosts.ts';
import { selectPasskeys } from '../../engine/accounts/passkeys.ts';
import { answerErrorPage } from '../../engine/pages/answer-page.ts';
import { readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { rememberChallenge, takeChallenge } from '../../engine/requests/passkey-challenge.ts';
import { findPasskeySite } from '../../engine/requests/passkey-site.ts';
import { checkPassword } from '../../engine/sign-in/check-password.ts';
import { askForNewPasskey, readNewPasskey } from '../../platform/auth/passkeys.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { ProfileFault } from './change-profile.ts';
import { againOf, type OwnVisit, type ProfilePageDeps } from './own-visit.ts';
import { type AddRefusal, addPasskey, removePasskey } from './passkeys.ts';
import { PASSKEYS } from './passkeys-card.tsx';
import { PROFILE } from './views.tsx';

const FAULTS: Record<AddRefusal | 'not_ours', Sayable> = {
  not_ours: message(
    'No passkey was added: the device did not answer what it was asked, or too late. Try again.',
  ),
  answered_before: message('This was sent twice. Look whether the passkey is there before you try again.'),
  known_already: message('This device has a passkey here already.'),
  too_many: (language) => sayMost('passkeys', language),
};

export function routePasskeys(
  app: HttpServer,
  deps: ProfilePageDeps,
  showProfile: (visit: OwnVisit, fault: ProfileFault) => Promise<OwnVisit['reply']>,
): void {
  const { db } = deps;

  routePage(app, deps, {
    method: 'POST',
    url: `${PASSKEYS}/options`,
    show: async (visit) => {
      const { request, reply, visitor, form } = visit;
      const site = findPasskeySite(request, deps.publicUrl());
      if (!site.ok) return answerErrorPage(reply, 404);
      const checked = await checkPassword(deps, againOf(visit), form.current_password ?? '');
      if (!checked.ok) {
        const { status, text } = checked.refusal;
        return reply
          .code(status === 429 ? 429 : 422)
          .type('text/plain; charset=utf-8')
          .send(status === 429 ? text : visitor.language.say('This is not your password.'));
      }
      const known = await selectPasskeys(db, visitor.accountId);
      const account = { id: visitor.accountId, email: visitor.email, name: visitor.name };
      const options = await askForNewPasskey(site.value, account, known);
      const asked = { challenge: options.challenge, accountId: visitor.accountId };
      await rememberChallenge(deps, request, reply, 'new passkey', asked);
      return reply.header('cache-control', 'no-store').send(options);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: PASSKEYS,
    show: async (visit) => {
      const { request, reply, visitor, form } = visit;
      const site = findPasskeySite(request, deps.publicUrl());
      if (!site.ok) return answerErrorPage(reply, 404);
      const refuse = (refusal: keyof typeof FAULTS) =>
        showProfile({ ...visit, form: {} }, ['passkey', FAULTS[refusal]]);
      const challenge = await takeChallenge(deps, request, reply, 'new passkey');
      if (challenge?.accountId !== visitor.accountId) return refuse('not_ours');
      const passkey = await readNewPasskey(form.answer ?? '', site.value, challenge.challenge);
      if (!passkey) return refuse('not_ours');
      const made = { challenge, passkey, host: site.value.id, name: form.name };
      const added = await db.transaction((tx) => addPasskey(tx, visitor, made, request.now));
      if (!added.ok) return refuse(added.refusal);
      return reply.redirect(`${PROFILE}?done=passkey`, 303);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${PASSKEYS}/:passkey_id/remove`,
    show: async ({ reply, visitor, params }) => {
      const id = readPageId<PasskeyId>(params.passkey_id);
      if (id === null) return answerErrorPage(reply, 404);
      const removed = await db.transaction((tx) => removePasskey(tx, visitor, { id }, visitor.now));
      if (!removed.ok) return answerErrorPage(reply, 404);
      return reply.redirect(`${PROFILE}?done=passkey-removed`, 303);
    },
  });
}
