// Pages on which administrators change one of their organizations, and the forms that stand on them.

import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import sql from 'sql-template-tag';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Result } from '../../domain/result.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { answerErrorPage, answerPage } from './answer-page.ts';
import { readAskedForm } from './ask.tsx';
import { type AskAct, askBefore, askFirst, type OrganizationVisit } from './ask-settings.ts';
import { type PageDeps, readPageId, routePage } from './page-routes.ts';
import type { SettingsFrame } from './settings-page.tsx';
import { settingsPath } from './settings-path.ts';
import type { Visitor } from './visitor.ts';

interface Organization {
  id: OrganizationId;
  name: string;
}

export interface SettingsVisit extends OrganizationVisit {
  /** All that the visitor administers, by name. */
  organizations: Organization[];
}

/** Where a change is asked for, and what the form says. */
export interface SettingsInput {
  organizationId: OrganizationId;
  params: Record<string, string>;
  form: FormFields;
}

export interface Done<Shown = never> {
  /** The word in the address by which the next page says what was done. */
  done?: string;
  /** The page to go to; the one with the form unless given. */
  to?: string;
  /** Something that only this one answer shows, so it is no redirect. */
  shown?: Shown;
}

export type SettingsVerb<Refusal extends string, Shown = never> = (
  tx: Tx,
  requester: Visitor,
  input: SettingsInput,
  now: Date,
) => Promise<Result<Done<Shown>, Refusal | 'not_found'>>;

/** Of the form that was refused: which one, what was typed, and what is wrong with it. */
export interface Fault {
  word: string;
  field: string;
  text: string;
  typed: FormFields;
}

interface SettingsNews<Shown = never> {
  done: string | null;
  fault: Fault | null;
  shown: Shown | null;
}

export interface Desk<Refusal extends string, Shown = never> {
  url: string;
  /** null: there is no such page. */
  show: (visit: SettingsVisit, news: SettingsNews<Shown>) => Promise<VNode | null>;
  verbs: Record<string, SettingsVerb<Refusal, Shown>>;
  refusals: Record<Refusal, [field: string, text: Sayable]>;
  /** What is asked before acts that hurt, on a page at the address of the act. */
  questions?: Record<string, AskAct>;
  /** Of these, what may leave alarms without anybody: it is asked about first, where it would. */
  asksFirst?: readonly string[];
  done: Record<string, Sayable>;
  /** After a change is committed, and before its answer. */
  afterwards?: (word: string, visit: SettingsVisit) => Promise<void>;
}

interface SettingsDeps extends PageDeps {
  db: ReadDatabase;
}

/** For administrators; the address may name one of their organizations. To others there is no such page. */
export const routeSettingsPage = (
  app: HttpServer,
  deps: SettingsDeps,
  route: {
    method: 'GET' | 'POST';
    url: string;
    show: (visit: SettingsVisit) => Promise<FastifyReply> | FastifyReply;
  },
): void =>
  routePage(app, deps, {
    ...route,
    show: async (visit) => {
      const administered = visit.visitor.memberships.filter(({ role }) => canAdminister(role));
      const organizations = await selectOrganizations(
        deps.db,
        administered.map(({ organizationId }) => organizationId),
      );
      const organization = chooseOrganization(organizations, visit.query.organization);
      return organization
        ? route.show({ ...visit, organization, organizations })
        : answerErrorPage(visit.reply, 404);
    },
  });

const chooseOrganization = (organizations: Organization[], asked: string | undefined) =>
  asked === undefined ? organizations[0] : organizations.find(({ id }) => id === readPageId(asked));

const selectOrganizations = (db: ReadDatabase, ids: OrganizationId[]) =>
  db.query<Organization>(sql`
    select id, name from organization where id = any(${ids}::int[]) order by name, id`);

/** A page and its forms: `url` shows it, `url/word` takes the form of that word and leads back. */
export function routeDesk<Refusal extends string, Shown = never>(
  app: HttpServer,
  deps: PageDeps & { db: Database },
  desk: Desk<Refusal, Shown>,
): void {
  const answer = async (visit: SettingsVisit, status: number, news: Partial<SettingsNews<Shown>>) => {
    const done = findDone(desk.done, visit.query.done, visit.visitor.language);
    const page = await desk.show(visit, { done, fault: null, shown: null, ...news });
    return page ? answerPage(visit.reply, status, page) : answerErrorPage(visit.reply, 404);
  };

  routeSettingsPage(app, deps, { method: 'GET', url: desk.url, show: (visit) => answer(visit, 200, {}) });

  for (const [word, ask] of Object.entries(desk.questions ?? {}))
    routeSettingsPage(app, deps, {
      method: 'GET',
      url: `${desk.url}/${word}`,
      show: async (visit) => {
        const { reply, visitor, organization, params } = visit;
        const form = readAskedForm(visit.query);
        const verb = desk.verbs[word];
        if (!form || !verb) return answerErrorPage(reply, 404);
        const input = { organizationId: organization.id, params, form };
        const act = desk.asksFirst?.includes(word) ? (tx: Tx) => verb(tx, visitor, input, visitor.now) : null;
        const asking = {
          visit: { ...visit, form },
          frame: frameOf(visit),
          ask,
          act,
          back: fillIn(desk.url, params),
        };
        const question = await askBefore(deps.db, asking);
        return question ? answerPage(reply, 200, question) : answerErrorPage(reply, 404);
      },
    });

  for (const [word, verb] of Object.entries(desk.verbs)) {
    routeSettingsPage(app, deps, {
      method: 'POST',
      url: `${desk.url}/${word}`,
      show: async (visit) => {
        const { reply, visitor, organization, params, form } = visit;
        const input = { organizationId: organization.id, params, form };
        const act = (tx: Tx) => verb(tx, visitor, input, visitor.now);
        const ask = desk.questions?.[word];
        if (ask && desk.asksFirst?.includes(word)) {
          const asking = { visit, frame: frameOf(visit), ask, act, back: fillIn(desk.url, params) };
          const question = await askFirst(deps.db, asking);
          if (question) return answerPage(reply, 200, question);
        }
        const changed = await allOrNothing(deps.db, act);
        if (!changed.ok && changed.refusal === 'not_found') return answerErrorPage(reply, 404);
        if (!changed.ok) {
          const [field, text] = desk.refusals[changed.refusal as Refusal];
          return answer(visit, 422, {
            done: null,
            fault: { word, field, text: sayOne(text, visitor.language), typed: withoutSecrets(form) },
          });
        }
        await desk.afterwards?.(word, visit);
        const { done = word, to = fillIn(desk.url, visit.params), shown } = changed.value;
        if (shown !== undefined) return answer(visit, 200, { done: null, shown });
        return reply.redirect(settingsPath(to, organization, { done }), 303);
      },
    });
  }
}

/** Only to roll back with. */
class Refused<Refusal> extends Error {
  constructor(readonly refused: { ok: false; refusal: Refusal }) {
    super('refused');
  }
}

/** A change that is refused half-way leaves nothing behind. */
async function allOrNothing<Value, Refusal>(
  db: Database,
  change: (tx: Tx) => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  try {
    return await db.transaction(async (tx) => {
      const changed = await change(tx);
      if (!changed.ok) throw new Refused(changed);
      return changed;
    });
  } catch (error) {
    if (error instanceof Refused) return error.refused;
    throw error;
  }
}

/** What every settings page gets to show around its own content. */
export const frameOf = (
  { visitor, organization, organizations }: SettingsVisit,
  { done = null, fault = null }: { done?: string | null; fault?: { text: string } | null } = {},
): SettingsFrame => ({ visitor, organization, organizations, done, fault });

/** For what belongs to another organization of the visitor than the address says. */
export const visitIn = (visit: SettingsVisit, organizationId: OrganizationId): SettingsVisit => ({
  ...visit,
  organization: visit.organizations.find(({ id }) => id === organizationId) ?? visit.organization,
});

const fillIn = (url: string, params: Record<string, string>): string =>
  url.replaceAll(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

const withoutSecrets = (form: FormFields): FormFields =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !name.includes('password')));

const findDone = (
  words: Record<string, Sayable>,
  word: string | undefined,
  language: Language,
): string | null =>
  word !== undefined && Object.hasOwn(words, word) ? sayOne(words[word] ?? '', language) : null;
