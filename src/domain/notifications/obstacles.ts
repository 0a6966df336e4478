// What keeps people from being told, whatever their ladder says.
import { isWorse } from '../judging/severity.ts';
import { drop, type Standing } from './answer.ts';
import type { Situation, Waiting } from './situation.ts';
import { type AlarmSeverity, canBeAcknowledged, SUBJECTS, type Subject } from './subject.ts';
import { findSuppression } from './suppression.ts';

/** null: nothing does. Of several, the mute or downtime comes last: it is the one that will be caught up. */
export function findObstacle(situation: Situation, subject: Subject, now: Date): Standing | null {
  const { isArchived, group, settings } = situation;
  const { flag } = SUBJECTS[subject];
  if (isArchived) return drop({ code: 'archived' });
  if (!group) return drop({ code: 'no_group' });
  if (!settings[flag]) return drop({ code: 'flag_off', flag });
  const acknowledged = canBeAcknowledged(subject) && findAcknowledged(situation, subject);
  if (acknowledged) return acknowledged;
  const suppression = findSuppression(situation, now);
  if (suppression) return { state: 'held', ...suppression };
  return subject === 'stale' ? findGateway(situation) : null;
}

function findAcknowledged({ acknowledgements }: Situation, severity: AlarmSeverity): Standing | null {
  const found = acknowledgements.find((one) => !isWorse(severity, one.severity));
  if (!found) return null;
  return drop({ code: 'acknowledged', at: found.severity === severity ? 'this' : 'higher', by: found.by });
}

/** Its gateway tells of both. Values, and that data comes in again, are told as ever. */
const findGateway = ({ staleGateway }: Situation): Standing | null =>
  staleGateway === null
    ? null
    : { state: 'held', reason: { code: 'behind_gateway', gateway: staleGateway }, until: null };

/** Of an acknowledgement: it may have been taken back before anybody heard of it. */
export function findAcknowledgementObstacle(
  situation: Situation,
  severity: Waiting['severity'],
  now: Date,
): Standing | null {
  const obstacle = findObstacle(situation, 'acknowledgement', now);
  if (obstacle?.state === 'dropped') return obstacle;
  return situation.acknowledgements.some((one) => one.severity === severity)
    ? obstacle
    : drop({ code: 'no_longer_acknowledged' });
}
