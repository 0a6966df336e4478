// What a notification says, taken from how its service stands and from what happened.

import type { Verdict } from '../../domain/telling/notification-policy.ts';
import type { Knowledge, Subject } from '../../domain/telling/situation.ts';
import { DATA_AGAIN, describeRecovery } from '../../domain/words/alarm-message.ts';
import type { WaitingRow } from './knowledge.ts';
import type { ToldService } from './situation.ts';

export interface Decision {
  service: ToldService;
  known: Knowledge;
  waiting: readonly WaitingRow[];
  verdict: Verdict;
}

export interface Facts {
  kind: 'critical' | 'warning' | 'recovery' | 'system' | 'acknowledgement';
  severity: 'critical' | 'warning' | 'stale' | 'normal';
  episodeId: string | null;
  silenceId: string | null;
  since: Date | null;
  /** null: as noted when it happened. So below. */
  happenedAt: Date | null;
  message: string | null;
  channel: string | null;
  value: number | null;
  limit: number | null;
}

const NOTHING = { episodeId: null, silenceId: null, since: null, channel: null, value: null, limit: null };

/** An alarm is told as it stands now, an end as it was. */
export function gatherFacts(
  { service, known }: Decision,
  subject: Subject,
  happened: WaitingRow | null,
): Facts {
  const { situation, alarm, staleSince } = service;
  switch (subject) {
    case 'critical':
    case 'warning': {
      const { since, episodeId } = situation;
      return { ...NOTHING, ...alarm, kind: subject, severity: subject, episodeId, since, happenedAt: since };
    }
    case 'acknowledgement': {
      const { severity = 'normal', episodeId = null, happenedAt = null } = happened ?? {};
      const { since } = situation;
      // What was noted as it happened is never blank.
      const message = alarm.message || null;
      return {
        ...NOTHING,
        ...alarm,
        message,
        kind: 'acknowledgement',
        severity,
        episodeId,
        since,
        happenedAt,
      };
    }
    case 'recovery': {
      const {
        episodeId = known.alarm.episodeId,
        happenedAt = null,
        channel = null,
        value = null,
      } = happened ?? {};
      const message = happened && describeRecovery(happened);
      return {
        ...NOTHING,
        kind: 'recovery',
        severity: 'normal',
        episodeId,
        happenedAt,
        message,
        channel,
        value,
      };
    }
    case 'silence': {
      const silenceId = situation.silence?.id ?? null;
      const { silenceMessage: message } = service;
      return {
        ...NOTHING,
        kind: 'system',
        severity: 'stale',
        silenceId,
        message,
        since: staleSince,
        happenedAt: staleSince,
      };
    }
    case 'return': {
      const { happenedAt = null } = happened ?? {};
      return {
        ...NOTHING,
        kind: 'system',
        severity: 'normal',
        silenceId: known.silence.id,
        message: DATA_AGAIN,
        happenedAt,
      };
    }
  }
}
