// What a page says when a form was sent without scripts; with them the same verbs answer through the HTTP interface.
import type { OperateRefusal } from '../../engine/services/operate-on-service.ts';
import type { AcknowledgeRefusal } from './acknowledge.ts';
import type { UnacknowledgeRefusal } from './unacknowledge.ts';

export type Verb = 'acknowledge' | 'unacknowledge' | 'mute' | 'unmute';
export type VerbRefusal = OperateRefusal | AcknowledgeRefusal | UnacknowledgeRefusal;

const DONE: Record<Verb, string> = {
  acknowledge: 'The alarm is acknowledged.',
  unacknowledge: 'The acknowledgement was removed.',
  mute: 'Muted: nobody is notified until it is unmuted.',
  unmute: 'Unmuted: people are notified again.',
};

/** Contract, Alarms. */
const REFUSED: Record<VerbRefusal, string> = {
  no_such_service: 'Service not found',
  outside_organization: 'Not authorized for this service',
  viewer_only: 'Operator role or higher required for this action',
  no_active_alarm: 'No active alarm to acknowledge for this service',
  already_acknowledged: 'Alarm already acknowledged at this severity',
  nothing_to_remove: 'No acknowledgement to remove',
};

export interface PageNotice {
  kind: 'done' | 'error';
  text: string;
}

/** From the address that a form led to; only our own words are shown. */
export function findNews({ done, refused }: Record<string, string | undefined>): PageNotice | null {
  if (done !== undefined && Object.hasOwn(DONE, done)) return { kind: 'done', text: DONE[done as Verb] };
  if (refused !== undefined && Object.hasOwn(REFUSED, refused))
    return { kind: 'error', text: REFUSED[refused as VerbRefusal] };
  return null;
}
