// Routes for people in a browser: a session or the way to one, forms only from our own pages.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../../domain/ids.ts';
import { isStorable } from '../../domain/storable-text.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { readOwnPath } from '../../platform/http/own-path.ts';
import { isFromAnotherSite } from '../../platform/http/same-origin.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { answerErrorPage } from './answer-page.ts';
import { type Visitor, visitorOf } from './visitor.ts';

export interface Visit {
  request: FastifyRequest;
  reply: FastifyReply;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
  /** Empty for what is no form. */
  form: FormFields;
}

interface PageRoute<GivenVisit> {
  method: 'GET' | 'POST';
  url: string;
  show: (visit: GivenVisit) => Promise<FastifyReply> | FastifyReply;
}

export interface PageDeps {
  publicUrl: () => URL | null;
}

/** For everybody, signed in or not. */
export function routeOpenPage(
  app: HttpServer,
  { publicUrl }: PageDeps,
  { method, url, show }: PageRoute<Visit>,
): void {
  app.route({
    method,
    url,
    config: { isPage: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (method === 'POST' && isFromAnotherSite(request.headers, publicUrl()))
        return answerErrorPage(reply, 403);
      const form = (request.body ?? {}) as FormFields;
      if (!Object.values(form).every(isStorable)) return answerErrorPage(reply, 422);
      const params = request.params as Visit['params'];
      return show({ request, reply, params, query: readQuery(request), form });
    },
  });
}

/** For those who are signed in; others are led to the sign-in page and back. */
export const routePage = (
  app: HttpServer,
  deps: PageDeps,
  { show, ...route }: PageRoute<Visit & { visitor: Visitor }>,
): void =>
  routeOpenPage(app, deps, {
    ...route,
    show: (visit) => {
      const visitor = visitorOf(visit.request);
      return visitor
        ? show({ ...visit, visitor })
        : visit.reply.redirect(signInAddress(findWayBack(visit.request, deps)), 303);
    },
  });

const signInAddress = (next: string | null): string =>
  next === null || next === '/' ? '/login' : `/login?${new URLSearchParams({ next })}`;

/** Where a form was sent there may be no page to come back to; its own page has it still. */
export function findWayBack(
  { method, url, headers }: FastifyRequest,
  { publicUrl }: PageDeps,
): string | null {
  if (method !== 'POST') return readOwnPath(url);
  const { referer = '' } = headers;
  if (!URL.canParse(referer)) return null;
  const { host, pathname, search } = new URL(referer);
  return host === headers.host || host === publicUrl()?.host ? readOwnPath(pathname + search) : null;
}

/** A field that comes twice counts once. What the database cannot hold is nothing that anybody looks for. */
const readQuery = ({ query }: FastifyRequest): Visit['query'] =>
  Object.fromEntries(
    Object.entries(query as Record<string, string | string[]>).map(([name, value]) => [
      name,
      [value].flat().at(-1)?.replaceAll('\0', ''),
    ]),
  );

/** null: nothing can have this id, so its page is not found. */
export const readPageId = <Id extends number = number>(text: string | undefined): Id | null =>
  text !== undefined && /^[0-9]+$/.test(text) && isId(Number(text)) ? (Number(text) as Id) : null;

/** The same for an id that may be larger than any number; as text, for the database to read. */
export const readBigId = (text: string | undefined): string | null =>
  text !== undefined && /^[0-9]{1,18}$/.test(text) ? text : null;
