// The page on which the reader of a letter says to have it: proved by what the letter carries, and gone with the letter.
import type { TokenSigner } from '../../platform/auth/token.ts';

/** A database that was set back counts the same letters again; the time keeps old and new ones apart. */
interface SentLetter {
  id: string;
  createdAt: Date;
}

const RECEIPTS = '/receipt/mail';
export const RECEIPT_PAGE = `${RECEIPTS}/:letter_id/:proof`;

/** What stands in its address. */
export interface ReceiptLink {
  letterId: string;
  proof: string;
}

export const pathOfLink = ({ letterId, proof }: ReceiptLink): string => `${RECEIPTS}/${letterId}/${proof}`;

const nameLetter = ({ id, createdAt }: SentLetter): string => `receipt ${id} ${createdAt.toISOString()}`;

export const pathOfReceipt = (signer: Pick<TokenSigner, 'prove'>, letter: SentLetter): string =>
  pathOfLink({ letterId: letter.id, proof: signer.prove(nameLetter(letter)) });

export const provesReceipt = (
  signer: Pick<TokenSigner, 'isProof'>,
  letter: SentLetter,
  proof: string,
): boolean => signer.isProof(nameLetter(letter), proof);
