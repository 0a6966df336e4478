import type { Result } from '../../domain/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerPage } from '../../platform/http/error-page.ts';
import { routePage, type Visit, type Visitor } from '../../platform/http/pages.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { keepSession } from '../../platform/http/session-cookie.ts';
import { changePassword, type OwnActor, type ProfileFault, saveProfile } from './change-profile.ts';
import { selectOrganizations } from './queries.ts';
import { PROFILE, ProfilePage } from './views.tsx';

interface Attempt {
  username: string;
  password: string;
  address: string;
  requestId: string;
}

export interface ProfilePageDeps {
  db: Database;
  publicUrl: URL | null;
  /** Throttled and on record, like the sign-in page. */
  signIn: (attempt: Attempt, now: Date) => Promise<Result<string, { status: number; text: string }>>;
}

type OwnVisit = Visit & { visitor: Visitor };

const DONE: Record<string, string> = {
  save: 'Saved.',
  password: 'Your password is changed. Everything else that was signed in as you is signed out.',
  role: 'Your role is changed.',
  left: 'You are no longer a member of that organization.',
};

export function routeProfilePages(app: HttpServer, deps: ProfilePageDeps): void {
  const { db } = deps;

  const showProfile = async (
    { reply, visitor, query, form }: OwnVisit,
    fault: ProfileFault | null = null,
  ) => {
    const [field, text] = fault ?? ['', ''];
    const done = query.done !== undefined && Object.hasOwn(DONE, query.done) ? DONE[query.done] : null;
    return answerPage(
      reply,
      fault ? 422 : 200,
      <ProfilePage
        visitor={visitor}
        name={form.name ?? visitor.name}
        timezone={form.timezone ?? visitor.timezone}
        timezones={['UTC', ...Intl.supportedValuesOf('timeZone')]}
        organizations={await selectOrganizations(db, visitor.id)}
        done={(!fault && done) || null}
        fault={fault && { field, text }}
      />,
    );
  };

  routePage(app, deps, { method: 'GET', url: PROFILE, show: (visit) => showProfile(visit) });

  routePage(app, deps, {
    method: 'POST',
    url: `${PROFILE}/save`,
    show: async (visit) => {
      const saved = await saveProfile(db, actorOf(visit), visit.form, visit.request.now);
      if (!saved.ok) return showProfile(visit, saved.refusal);
      return visit.reply.redirect(`${PROFILE}?done=save`, 303);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${PROFILE}/password`,
    show: async (visit) => {
      const { request, reply, visitor, form } = visit;
      const signIn = (password: string) =>
        deps.signIn(
          { username: visitor.email, password, address: request.ip, requestId: request.id },
          request.now,
        );
      const changed = await changePassword(db, actorOf(visit), visitor, form, signIn, request.now);
      if (!changed.ok) return showProfile(visit, changed.refusal);
      const signedIn = await signIn(form.password ?? '');
      if (signedIn.ok) keepSession(request, reply, signedIn.value, deps.publicUrl);
      return reply.redirect(`${PROFILE}?done=password`, 303);
    },
  });
}

const actorOf = ({ request, visitor }: OwnVisit): OwnActor => ({
  accountId: visitor.id,
  name: visitor.name,
  address: request.ip,
  requestId: request.id,
});
