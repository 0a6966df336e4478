import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { userAgentOf } from '../../engine/requests/requester-of.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';

export interface ProfilePageDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
}

export type OwnVisit = Visit & { visitor: Visitor };

/** By the word in the address that a form led to. */
export const findDone = (
  texts: Record<string, Sayable>,
  { done }: Visit['query'],
  language: Language,
): string | null => {
  const text = done !== undefined && Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text === undefined ? null : sayOne(text, language);
};

/** Whoever types their password on a page of their own. */
export const againOf = ({ request, visitor }: OwnVisit) => ({
  visitor,
  userAgent: userAgentOf(request),
  now: request.now,
});
