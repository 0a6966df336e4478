// What is asked before a band is removed.
import { readBandName } from '../../../domain/judging/band.ts';
import { readChannel } from '../../../domain/judging/limits.ts';
import type { ActQuestion } from '../../../engine/pages/ask.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { foreseeUnit, sayOutlook } from '../../../engine/services/foresee-unit.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ShownService } from '../shown-service/queries.ts';
import { type DeleteBandForm, deleteBand } from './delete-band.ts';
import { nameLimits, toChannel } from './limits-model.ts';
import { selectLimitsInForce } from './queries.ts';

/** null: there is no such band, or it is not the visitor's to remove. */
export async function askBand(
  db: Database,
  visitor: Visitor,
  { service, form }: { service: ShownService; form: DeleteBandForm },
): Promise<ActQuestion | null> {
  const { language } = visitor;
  const channel = readChannel(form.metric_channel);
  const inForce = (await selectLimitsInForce(db, service.id)).find((limits) => limits.channel === channel);
  const wanted = readBandName(form.band_name ?? '');
  const band = inForce && toChannel(inForce, service, language).bands.find((one) => one.band === wanted);
  if (!band) return null;
  const act = { serviceId: service.id, form };
  const outlook = await foreseeUnit(db, service.id, (tx) => deleteBand(tx, visitor, act, visitor.now));
  if (!outlook) return null;
  const { say } = language;
  const subject = nameLimits(channel, service, language);
  return {
    act: say('Remove {band} of {subject}', { band: band.label, subject }),
    says: [
      say('{band} of {subject}, {limit}: it raises no alarm from now on.', {
        band: band.label,
        subject,
        limit: band.limit,
      }),
      ...sayOutlook(outlook, language),
    ],
    canUndo: false,
  };
}
