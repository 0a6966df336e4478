import type { Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';

export interface ProfilePageDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
}

export type OwnVisit = Visit & { visitor: Visitor };
