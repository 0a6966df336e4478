import type { InvitationId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import {
  type AcceptRefusal,
  acceptInvitation,
  declineInvitation,
  selectInvitations,
} from '../../engine/accounts/invitations.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routeJoinPages } from './join-routes.ts';
import { isPasswordKnown } from './queries.ts';
import { INVITATIONS, InvitationsPage } from './views.tsx';

export interface InvitationPageDeps extends PageDeps {
  db: Database;
  hasMailServer: () => boolean;
}

const DONE = {
  accept: message('Accepted. You find its services among yours now.'),
  decline: message('Declined. Nothing was changed.'),
};

const REFUSALS = {
  no_such_invitation: message('This invitation is no longer open: it was answered or withdrawn.'),
  password_may_be_known: message('An administrator may know your password. Nothing was changed.'),
} satisfies Record<AcceptRefusal, string>;

/** For the owner of an account, after signing in. */
export function routeInvitationPages(app: HttpServer, deps: InvitationPageDeps): void {
  const { db, hasMailServer } = deps;
  routeJoinPages(app, deps);

  const show = async ({ reply, visitor, query }: OwnVisit, refusal: AcceptRefusal | null = null) => {
    const { say } = visitor.language;
    const done =
      query.done !== undefined && Object.hasOwn(DONE, query.done)
        ? say(DONE[query.done as keyof typeof DONE])
        : null;
    const [invitations, isKnown] = await Promise.all([
      selectInvitations(db, visitor.accountId),
      isPasswordKnown(db, visitor.accountId),
    ]);
    return answerPage(
      reply,
      refusal ? 422 : 200,
      <InvitationsPage
        visitor={visitor}
        invitations={invitations}
        mayAccept={!isKnown}
        hasMailServer={hasMailServer()}
        done={refusal ? null : done}
        refusal={refusal && say(REFUSALS[refusal])}
      />,
    );
  };

  routePage(app, deps, { method: 'GET', url: INVITATIONS, show: (visit) => show(visit) });

  routePage(app, deps, {
    method: 'POST',
    url: `${INVITATIONS}/:invitation_id/accept`,
    show: async (visit) => {
      const { reply, params, visitor, request } = visit;
      const id = readPageId<InvitationId>(params.invitation_id);
      if (id === null) return answerErrorPage(reply, 404);
      const answer = { accountId: visitor.accountId, id, isByLink: false };
      const accepted = await db.transaction((tx) => acceptInvitation(tx, visitor, answer, request.now));
      return accepted.ok ? reply.redirect(`${INVITATIONS}?done=accept`, 303) : show(visit, accepted.refusal);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${INVITATIONS}/:invitation_id/decline`,
    show: async (visit) => {
      const { reply, params, visitor, request } = visit;
      const id = readPageId<InvitationId>(params.invitation_id);
      if (id === null) return answerErrorPage(reply, 404);
      const declined = await db.transaction((tx) =>
        declineInvitation(tx, visitor, { accountId: visitor.accountId, id }, request.now),
      );
      return declined.ok ? reply.redirect(`${INVITATIONS}?done=decline`, 303) : show(visit, declined.refusal);
    },
  });
}

type OwnVisit = Visit & { visitor: Visitor };
