// What the page of a service takes from other rooms. app.ts hands it in, for features never import each other.

import type { ComponentChildren } from 'preact';
import type { Requester } from '../../../domain/accounts/requester.ts';
import type { Role } from '../../../domain/accounts/role.ts';
import type { Changes } from '../../../domain/changes.ts';
import type { EditFault } from '../../../domain/equipment/edit-form.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Band } from '../../../domain/judging/band.ts';
import type { Limits } from '../../../domain/judging/limits.ts';
import type { Result } from '../../../domain/result.ts';
import type { ActRefusal } from '../../../domain/words/act-words.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import type { LimitsOrigin } from '../../../engine/services/adopt-limits.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Reader } from '../../../platform/html/time.tsx';
import type { FormFields } from '../../../platform/http/form-body.ts';

export interface LimitsInForce extends Limits {
  bands: Band[];
}

export interface LimitsEntry extends LimitsInForce {
  id: number;
  version: number;
  origin: LimitsOrigin;
  authorName: string;
  createdAt: Date;
  /** null: in force. */
  retiredAt: Date | null;
  /** Against the version before it. */
  changes: Changes;
}

export type ServiceVerb<Refusal = ActRefusal> = (
  tx: Tx,
  requester: Requester,
  input: { serviceId: ServiceId; form: FormFields },
  now: Date,
) => Promise<Result<unknown, Refusal>>;

/** Acknowledge and mute, with what undoes them, are sent to the room of alarms, which leads back here. */
export type VerbName =
  | 'schedule-downtime'
  | 'cancel-downtime'
  | 'delete-band'
  | 'recommend'
  | 'apply-recommendation';

/** What was sent and not saved, and why. */
export interface RefusedEdit {
  fault: EditFault;
  typed: FormFields;
}

export interface ServicePageParts {
  verbs: Record<VerbName, ServiceVerb>;
  edit: ServiceVerb<ActRefusal | { fault: EditFault }>;
  /** Service-wide limits first, then by channel. */
  readLimitsInForce(serviceId: ServiceId): Promise<LimitsInForce[]>;
  /** A page of all versions, the newest first; `before`: those older than that one. */
  readLimitsHistory(
    serviceId: ServiceId,
    before: number | null,
  ): Promise<{ entries: LimitsEntry[]; olderThan: number | null }>;
  /** The values of the edit form's fields; `channel` null: service-wide. */
  readEditForm(serviceId: ServiceId, channel?: string | null): Promise<Record<string, string> | null>;
  /** null: nothing to show to this visitor. */
  showRecommendation(visitor: Visitor, serviceId: ServiceId): Promise<ComponentChildren>;
  /** Whether it is muted, and how to change that. */
  showMuteControl(service: { id: ServiceId; name: string }, reader: Reader): Promise<ComponentChildren>;
  /** The newest of what was told, to whom and with what outcome. */
  showTold(visitor: Visitor, service: { id: ServiceId; role: Role }): Promise<ComponentChildren>;
}
