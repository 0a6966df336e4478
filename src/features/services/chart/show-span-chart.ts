// The chart of one channel over a given span, for the pages of other rooms.
import { type ComponentChildren, h } from 'preact';
import { organizationIdsOf, roleIn } from '../../../domain/accounts/requester.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { selectService } from '../shown-service/queries.ts';
import { DrawnChart } from './chart-view.tsx';
import { readChart } from './read-chart.ts';

export interface ChartedSpan {
  serviceId: ServiceId;
  channel: string | null;
  from: Date;
  to: Date;
}

/** null: the service is archived or of somebody else, or the channel is gone. */
export async function showSpanChart(
  db: ReadDatabase,
  visitor: Visitor,
  { serviceId, channel, from, to }: ChartedSpan,
): Promise<ComponentChildren> {
  const service = await selectService(db, serviceId, organizationIdsOf(visitor), visitor.now);
  const charted = service?.channels.find(({ name }) => name === channel);
  if (!service || !charted) return null;
  const role = roleIn(visitor, service.organizationId) ?? 'viewer';
  const chart = await readChart(db, service, { channel: charted, over: [], from, to }, { ...visitor, role });
  return h(DrawnChart, { serviceId, chart, rangeName: null, over: [], reader: visitor });
}
