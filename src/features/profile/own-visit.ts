import type { Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { SignIn } from '../../engine/requests/requester-of.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';

export interface ProfilePageDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
  /** Throttled and on record, like the sign-in page. */
  signIn: SignIn<{ status: number; text: string }>;
}

export type OwnVisit = Visit & { visitor: Visitor };
