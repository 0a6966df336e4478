// What a lab file says of what to do, beside what is stored.
import {
  GUIDANCE_FIELDS,
  type Guidance,
  readGuidance,
  sayGuidanceFault,
} from '../../domain/guidance/guidance.ts';
import { english } from '../../domain/language/english.ts';
import { describeChanges } from './describe-changes.ts';
import type { FaultBook } from './read/faults.ts';
import type { LabGuidance } from './read/read-lab-file.ts';

/** What the file leaves out stays. */
export function planGuidance(entry: LabGuidance | undefined, before: Guidance, faults: FaultBook): Guidance {
  if (entry === undefined) return before;
  const { phones } = entry;
  const read = readGuidance({
    whatToDo: entry.what_to_do === undefined ? before.whatToDo : entry.what_to_do,
    contents: entry.contents === undefined ? before.contents : entry.contents,
    owner: entry.owner === undefined ? before.owner : entry.owner,
    valueClass: entry.value_class === undefined ? before.valueClass : entry.value_class,
    phones: phones === undefined ? before.phones : phones?.join('\n'),
  });
  if (read.ok) return read.value;
  const { word } = GUIDANCE_FIELDS[read.refusal.field];
  faults.add(`${entry.path}.${word}`, sayGuidanceFault(read.refusal, english));
  return before;
}

/** null: there is none. */
export const findDifference = (before: Guidance, after: Guidance): Guidance | null =>
  describeChanges({ ...before }, { ...after }).length > 0 ? after : null;
