// What a program holds in hand: letters that are being sent and, behind them, those taken ahead.
import { MAIL_CONNECTIONS } from '../../platform/mail/smtp.ts';
import { isMailLane } from '../outbox/lane.ts';
import type { Room } from '../outbox/letters.ts';
import type { ClaimedLetter } from './claim-letters.ts';
import type { ReadyLetter } from './compose-letters.ts';
import { type LaneLimits, openLanesOfKind } from './lanes-of-kind.ts';

const LIMITS = {
  // All of it goes to one server, where more would only wait for a connection.
  email: { atOnce: MAIL_CONNECTIONS, most: 50, mostOfOwner: 50, slots: { atOnce: MAIL_CONNECTIONS } },
  // Each request to a host is a socket of its own.
  web: { atOnce: 4, most: 16, mostOfOwner: 128, slots: { atOnce: 200, leavesRoom: true }, slowMs: 5_000 },
};

export function createLanes(limits: { email: LaneLimits; web: LaneLimits } = LIMITS) {
  const email = openLanesOfKind(limits.email);
  const web = openLanesOfKind(limits.web);
  const kindOf = (lane: string) => (isMailLane(lane) ? email : web);

  return {
    room(): Room {
      const rooms = [email.countRoom(), web.countRoom()] as const;
      return {
        most: { email: limits.email.most, web: limits.web.most },
        lanes: new Map(rooms.flatMap(({ lanes }) => [...lanes])),
        mostOfOwner: limits.web.mostOfOwner,
        owners: rooms[1].owners,
        heldIds: [...email.listHeld(), ...web.listHeld()],
      };
    },

    put(letters: ReadyLetter[], taken: ReadonlyMap<string, number>): void {
      for (const [kind, isOfKind] of [
        [email, isMailLane] as const,
        [web, (lane: string) => !isMailLane(lane)] as const,
      ])
        kind.put(
          letters.filter(({ lane }) => isOfKind(lane)),
          new Map([...taken].filter(([lane]) => isOfKind(lane))),
        );
    },

    /** Those that may be sent now; they count as being sent until `answer`. */
    start: (): ReadyLetter[] => [...email.start(), ...web.start()],

    answer: ({ lane, id }: ClaimedLetter, tookMs: number): void => kindOf(lane).answer(lane, id, tookMs),
    finish: ({ lane, id }: ClaimedLetter): void => kindOf(lane).finish(lane, id),
    isLow: () => email.isLow() || web.isLow(),
    takeBack: (): string[] => [...email.takeBack(), ...web.takeBack()],
  };
}
