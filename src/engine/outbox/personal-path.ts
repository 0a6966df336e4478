// The page on which the person whom a letter was sent to acknowledges its alarm without signing in. Proved by what the letter
// carries: the account as it was then, so that whatever ends its sessions ends its links.
import type { AccountId } from '../../domain/ids.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';

/** A database that was set back counts the same letters again; the time keeps old and new ones apart. */
export interface PersonalLetter {
  id: string;
  createdAt: Date;
  signsAs: { accountId: AccountId; generation: number };
}

const PERSONAL = '/mine';
export const PERSONAL_PAGE = `${PERSONAL}/:letter_id/:proof`;

/** What stands in its address. */
export interface PersonalLink {
  letterId: string;
  proof: string;
}

export const pathOfPersonalLink = ({ letterId, proof }: PersonalLink): string =>
  `${PERSONAL}/${letterId}/${proof}`;

const nameLetter = ({ id, createdAt, signsAs: { accountId, generation } }: PersonalLetter): string =>
  `mine ${id} ${createdAt.toISOString()} ${accountId} ${generation}`;

export const pathOfPersonal = (signer: Pick<TokenSigner, 'prove'>, letter: PersonalLetter): string =>
  pathOfPersonalLink({ letterId: letter.id, proof: signer.prove(nameLetter(letter)) });

export const provesPersonal = (
  signer: Pick<TokenSigner, 'isProof'>,
  letter: PersonalLetter,
  proof: string,
): boolean => signer.isProof(nameLetter(letter), proof);
