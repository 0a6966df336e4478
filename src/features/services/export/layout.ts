// The columns of an export. Those that say which service it is are left out where there is only one.
import type { ExportedChannel, ExportedService } from './read-rows.ts';

export type Layout = 'of_one_service' | 'of_an_organization';

export const FORMATS = ['csv', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];

interface NamingColumn {
  name: string;
  kind: 'id' | 'text';
  cell: (service: ExportedService, channel: ExportedChannel) => number | string | null;
}

/** Between the time and the value; after the value there is the unit. */
export const NAMING: Record<Layout, readonly NamingColumn[]> = {
  of_one_service: [{ name: 'channel', kind: 'text', cell: (_, channel) => channel.name }],
  of_an_organization: [
    { name: 'service_id', kind: 'id', cell: ({ id }) => id },
    { name: 'service', kind: 'text', cell: ({ name }) => name },
    {
      name: 'device',
      kind: 'text',
      cell: ({ deviceKeys }, channel) => channel.deviceKey ?? deviceKeys[0] ?? null,
    },
    { name: 'channel', kind: 'text', cell: (_, channel) => channel.name },
  ],
};
