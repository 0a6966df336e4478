import {
  EDIT_FAULTS,
  type EditFault,
  isNobodyTold,
  TOLD_EVERYTHING,
} from '../../../domain/equipment/edit-form.ts';
import { nameChannel, readChannel } from '../../../domain/judging/limits.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { findStateWords, type StateWords } from '../../../domain/words/state-words.ts';
import { readEditForm } from '../../../engine/services/read-edit-form.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { FormFields } from '../../../platform/http/form-body.ts';
import { type ShownService, selectGroups } from '../shown-service/queries.ts';

/** What was sent and not saved, and why. */
export interface RefusedEdit {
  fault: EditFault;
  typed: FormFields;
}

export interface EditModel {
  /** By the contract's field names. */
  values: Record<string, string>;
  /** Whose limits can be edited, as forms name them. */
  channels: (readonly [value: string, label: string])[];
  /** Of the channel whose limits are edited, if it is a state. */
  states: StateWords | null;
  setpoints: (readonly [value: string, label: string])[];
  groups: { id: number; name: string }[];
  /** Nobody was told so far: what is ticked is a proposal. */
  isTellingProposed: boolean;
  /** Why the last attempt was not saved. */
  error: EditFault | null;
  isOpen: boolean;
}

/** null: the service has no settings. */
export async function readEditModel(
  db: ReadDatabase,
  service: ShownService,
  { query, refused }: { query: Record<string, string | undefined>; refused: RefusedEdit | null },
  language: Language,
): Promise<EditModel | null> {
  const limits = refused ? refused.typed.metric_channel : query.limits;
  const inForce = await readEditForm(db, service.id, limits === undefined ? undefined : readChannel(limits));
  if (!inForce) return null;
  const isTellingProposed = !refused && isNobodyTold(inForce);
  const values = refused
    ? retype(inForce, refused.typed)
    : // Blank keeps the name: renaming ends no acknowledgement, and has a form of its own.
      { ...inForce, name: '', ...(isTellingProposed && TOLD_EVERYTHING) };
  const error = refused?.fault ?? EDIT_FAULTS.find((fault) => fault === query.edit_error) ?? null;
  const channels = service.channels.map(({ name, label }) => [name, label ?? name] as const);
  const chosen = values.metric_channel ?? nameChannel(null);
  const isKnown = chosen === nameChannel(null) || channels.some(([name]) => name === chosen);
  return {
    values,
    channels: [
      [nameChannel(null), language.say('All metric channels')],
      ...channels,
      ...(isKnown
        ? []
        : [[chosen, language.say('{channel} (has not reported yet)', { channel: chosen })] as const]),
    ],
    states: findStates(service, chosen, language),
    setpoints: channels,
    groups: await selectGroups(db, service.organizationId),
    isTellingProposed,
    error,
    isOpen: limits !== undefined || error !== null || query.edit !== undefined,
  };
}

function findStates({ channels }: ShownService, chosen: string, language: Language): StateWords | null {
  const channel = channels.find(({ name }) => name === chosen);
  return channel ? findStateWords(channel, language) : null;
}

/** As it was sent: a box that was not ticked is not there. */
const retype = (inForce: Record<string, string>, typed: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(inForce).map((field) => [field, typed[field] ?? ''])),
  metric_channel: inForce.metric_channel ?? '',
});
