import { nameChannel, readChannel } from '../../domain/limits.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { ServicePageParts } from './page-parts.ts';
import { type ShownService, selectGroups } from './service-queries.ts';

export interface EditModel {
  /** By the contract's field names. */
  values: Record<string, string>;
  /** Whose limits can be edited, as forms name them. */
  channels: (readonly [value: string, label: string])[];
  setpoints: (readonly [value: string, label: string])[];
  groups: { id: number; name: string }[];
  /** Why the last attempt was not saved. */
  error: string | null;
  isOpen: boolean;
}

const MOST_ERROR = 300;

/** null: the service has no settings. */
export async function readEditModel(
  { db, parts }: { db: ReadDatabase; parts: ServicePageParts },
  service: ShownService,
  query: Record<string, string | undefined>,
): Promise<EditModel | null> {
  const { limits, edit_error: error } = query;
  const values = await parts.readEditForm(service.id, limits === undefined ? undefined : readChannel(limits));
  if (!values) return null;
  const channels = service.channels.map(({ name, label }) => [name, label ?? name] as const);
  const chosen = values.metric_channel ?? nameChannel(null);
  const isKnown = chosen === nameChannel(null) || channels.some(([name]) => name === chosen);
  return {
    values,
    channels: [
      [nameChannel(null), 'All metric channels'],
      ...channels,
      ...(isKnown ? [] : [[chosen, `${chosen} (has not reported yet)`] as const]),
    ],
    setpoints: channels,
    groups: await selectGroups(db, service.organizationId),
    error: error === undefined ? null : error.slice(0, MOST_ERROR),
    isOpen: limits !== undefined || error !== undefined,
  };
}
