// The boxes of the list, as its form sends them.
import type { ServiceId } from '../../../domain/ids.ts';
import type { ManyActName } from '../../../engine/acts/many/many-act-rows.ts';
import { readPageId } from '../../../engine/pages/page-routes.ts';

/** Where an act on what is ticked is asked for. */
export const manyPath = (act: ManyActName): string => `/services/many/${act}`;

export const boxOf = (id: number): string => `unit-${id}`;

export const ALL_FOUND = 'all';

/** Boxes were ticked, and not the one for all that were found. */
export const hasBoxes = (sent: Record<string, string | undefined>): boolean =>
  sent[ALL_FOUND] !== 'yes' && Object.keys(sent).some((name) => BOX.test(name));

const BOX = /^unit-(\d+)$/;

export function readUnits(sent: Record<string, string | undefined>): ServiceId[] {
  const boxes = Object.keys(sent).flatMap((name) => BOX.exec(name)?.[1] ?? []);
  const texts = sent.units === undefined ? boxes : sent.units.split(',');
  return [...new Set(texts.flatMap((text) => readPageId<ServiceId>(text) ?? []))];
}
