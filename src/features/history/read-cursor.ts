import { isRealTime } from '../../domain/instant.ts';
import type { EpisodeCursor } from './queries.ts';

const CURSOR = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z)_([0-9]{1,18})$/;

export const writeEpisodeCursor = ({ at, id }: EpisodeCursor): string => `${at}_${id}`;

/** null: none, or nothing that a page of ours wrote. */
export function readEpisodeCursor(text: string | undefined): EpisodeCursor | null {
  const [, at, id] = CURSOR.exec(text ?? '') ?? [];
  return at !== undefined && id !== undefined && isRealTime(at) ? { at, id } : null;
}
