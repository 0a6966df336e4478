// What the page of a service takes from other rooms. app.ts hands it in, for features never import each other.

import type { ComponentChildren } from 'preact';
import type { Role } from '../../../domain/accounts/role.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';

export interface ServicePageParts {
  /** null: nothing to show to this visitor. */
  showRecommendation(db: ReadDatabase, visitor: Visitor, serviceId: ServiceId): Promise<ComponentChildren>;
  /** The newest of what was told, to whom and with what outcome. */
  showTold(
    db: ReadDatabase,
    visitor: Visitor,
    service: { id: ServiceId; role: Role },
  ): Promise<ComponentChildren>;
}
