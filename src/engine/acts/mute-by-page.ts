import type { Requester } from '../../domain/accounts/requester.ts';
import { unlessBlank } from '../../domain/blank.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { describeSpan } from '../../domain/span.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';
import { LONGEST_MUTE_MINUTES, type MutedService, mute } from './mute.ts';

const USUAL_MINUTES = 240;
/** What the form says instead of minutes. */
const WITHOUT_END = 'none';

/** The spans of the form; the usual one is chosen. */
export const listMuteSpans = (language: Language): (readonly [minutes: string, words: string])[] => [
  ...[60, USUAL_MINUTES, 1440, 10_080].map(
    (minutes) => [String(minutes), describeSpan(minutes * 60_000, language)] as const,
  ),
  [WITHOUT_END, language.say('until somebody unmutes it')],
];

export const USUAL_SPAN = String(USUAL_MINUTES);

/** On pages a mute ends by itself, unless somebody says why not. The interface for programs mutes as it is asked. */
export async function muteByPage(
  tx: Tx,
  requester: Requester,
  { serviceId, reason, span }: { serviceId: ServiceId; reason: string | undefined; span: string | undefined },
  now: Date,
): Promise<Result<MutedService, OperateRefusal | 'no_reason_without_end'>> {
  const length = readMuteLength({ reason, span });
  if (length.ok) return mute(tx, requester, { serviceId, reason, ...length.value }, now);
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  return operation.ok ? length : operation;
}

/** No minutes: until somebody ends it. */
export const readMuteLength = ({
  reason,
  span,
}: {
  reason: string | undefined;
  span: string | undefined;
}): Result<{ minutes?: number }, 'no_reason_without_end'> => {
  if (span !== WITHOUT_END) return ok({ minutes: readMinutes(span) });
  return unlessBlank(reason) === null ? refuse('no_reason_without_end') : ok({});
};

function readMinutes(span = ''): number {
  const minutes = /^\d{1,9}$/.test(span.trim()) ? Number(span) : 0;
  return minutes > 0 ? Math.min(minutes, LONGEST_MUTE_MINUTES) : USUAL_MINUTES;
}
