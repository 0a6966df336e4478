// What a notification says, taken from how its service stands and from what happened.

import type { Verdict } from '../../domain/notifications/decide.ts';
import type { Subject } from '../../domain/notifications/subject.ts';
import { DATA_AGAIN, describeRecovery } from '../../domain/words/alarm-message.ts';
import type { ToldService } from './current-states.ts';
import type { WaitingRow } from './told-before.ts';

export interface Decision {
  service: ToldService;
  waiting: readonly WaitingRow[];
  verdict: Verdict;
}

export interface NotificationContent {
  subject: Subject;
  severity: 'critical' | 'warning' | 'stale' | 'normal';
  episodeId: string | null;
  staleEventId: string | null;
  since: Date | null;
  /** null: as noted when it happened. So below. */
  happenedAt: Date | null;
  message: string | null;
  channel: string | null;
  value: number | null;
  limit: number | null;
}

const NOTHING = { episodeId: null, staleEventId: null, since: null, channel: null, value: null, limit: null };

/** An alarm is told as it stands now, an end as it was. */
export function describeNotification(
  { service }: Decision,
  subject: Subject,
  happened: WaitingRow | null,
): NotificationContent {
  const { situation, alarm, staleSince } = service;
  const { toldBefore } = situation;
  switch (subject) {
    case 'critical':
    case 'warning': {
      const { since, episodeId } = situation;
      return { ...NOTHING, ...alarm, subject, severity: subject, episodeId, since, happenedAt: since };
    }
    case 'acknowledgement':
    case 'arrival': {
      const { severity = 'normal', episodeId = null, happenedAt = null } = happened ?? {};
      const { since } = situation;
      // What was noted as it happened is never blank.
      const message = alarm.message || null;
      return {
        ...NOTHING,
        ...alarm,
        message,
        subject,
        severity,
        episodeId,
        since,
        happenedAt,
      };
    }
    case 'recovery': {
      const {
        episodeId = toldBefore.alarm.id,
        happenedAt = null,
        channel = null,
        value = null,
      } = happened ?? {};
      const message = happened && describeRecovery(happened);
      return {
        ...NOTHING,
        subject,
        severity: 'normal',
        episodeId,
        happenedAt,
        message,
        channel,
        value,
      };
    }
    case 'stale': {
      const staleEventId = situation.stale?.id ?? null;
      const { staleMessage: message } = service;
      return {
        ...NOTHING,
        subject,
        severity: 'stale',
        staleEventId,
        message,
        since: staleSince,
        happenedAt: staleSince,
      };
    }
    case 'back': {
      const { happenedAt = null } = happened ?? {};
      return {
        ...NOTHING,
        subject,
        severity: 'normal',
        staleEventId: toldBefore.stale.id,
        message: DATA_AGAIN,
        happenedAt,
      };
    }
  }
}
