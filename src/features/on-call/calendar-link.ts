// Everybody has a link of their own to the calendar of a rota. Nothing is stored by which anybody could make one, and it ends
// with the membership, with the account, and when the calendar is renewed.
import type { AccountId } from '../../domain/ids.ts';
import type { StoredRota } from '../../engine/on-call/rotas.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';

/** Makes links and knows its own. */
export type LinkSigner = Pick<TokenSigner, 'prove' | 'isProof'>;

type FedRota = Pick<StoredRota, 'id' | 'feedToken'>;

const nameLink = ({ id, feedToken }: FedRota, accountId: AccountId) =>
  `calendar ${id} of ${accountId}, ${feedToken}`;

/** null: the rota has no calendar. */
export const writeCalendarLink = (signer: LinkSigner, rota: FedRota, accountId: AccountId): string | null =>
  rota.feedToken && `/rota/${rota.id}.${accountId}.${signer.prove(nameLink(rota, accountId))}.ics`;

export interface CalendarLink {
  rotaId: number;
  accountId: AccountId;
  proof: string;
}

const LINK = /^(\d{1,9})\.(\d{1,9})\.([\w-]+)$/;

export function readCalendarLink(token: string): CalendarLink | null {
  const [, rotaId, accountId, proof = ''] = LINK.exec(token) ?? [];
  return rotaId ? { rotaId: Number(rotaId), accountId: Number(accountId) as AccountId, proof } : null;
}

export const isCalendarOf = (signer: LinkSigner, rota: FedRota, { accountId, proof }: CalendarLink) =>
  rota.feedToken !== null && signer.isProof(nameLink(rota, accountId), proof);
