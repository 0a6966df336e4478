import { h } from 'preact';
import type { ServiceId } from '../../domain/ids.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { toPanel } from './panel-model.ts';
import { readRecommendation } from './read-recommendation.ts';
import { RecommendationPanel } from './views.tsx';

/** For the page of a service; null: nothing to show to this visitor. */
export async function showRecommendation(db: ReadDatabase, visitor: Visitor, serviceId: ServiceId) {
  const read = await readRecommendation(db, visitor, serviceId);
  return read.ok ? h(RecommendationPanel, toPanel(read.value, visitor)) : null;
}
