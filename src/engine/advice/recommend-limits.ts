// One recommendation from the stored readings to the result: builtin statistics, with a language model on top if asked.
import sql from 'sql-template-tag';
import type { ProposedBand, RecommendationResult } from '../../domain/advisor/recommendation.ts';
import { findMainChannel } from '../../domain/equipment/main-channel.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { LlmConfig } from '../../platform/config.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import {
  type Channel,
  hasOwnLimits,
  loadServiceConfigs,
  type ServiceConfig,
} from '../alarm-state/service-config.ts';
import type { Findings } from './analysis.ts';
import { compareLimits, planComparison } from './compare-limits.ts';
import { type Consultation, consultLlm } from './consult-llm.ts';
import { FAILURES } from './failure-words.ts';
import { gatherMaterial } from './gather-material.ts';
import { selectIgnored } from './select-ignored.ts';
import { type AnalystSettings, startAnalyst } from './start-analyst.ts';

export interface RecommendDeps {
  db: ReadDatabase;
  /** null: the statistics decide alone. */
  llm: LlmConfig | null;
  analyst: AnalystSettings;
  pause?: Consultation['pause'];
}

/** The refusal is a sentence for people. */
export async function recommendLimits(
  deps: RecommendDeps,
  serviceId: ServiceId,
  now: Date,
): Promise<Result<RecommendationResult, string>> {
  const [config] = await loadServiceConfigs(deps.db, [serviceId]);
  if (!config || config.isArchived) return refuse(FAILURES.archived);
  const channel = findMainChannel(config.channels.values(), (name) => hasOwnLimits(config, name));
  if (!channel) return refuse(FAILURES.noChannel);

  const inForce = config.limits.get(channel.name);
  const about = {
    channels: [channel.name],
    limits: inForce ? [new Map([[channel.name, inForce]])] : [],
  };
  const { histories, ...material } = await gatherMaterial(deps.db, config, about, now);
  const span = { from: new Date(material.window.from), to: new Date(material.window.to) };
  const ignored = await selectIgnored(deps.db, { serviceId, channel: channel.name, ...span });

  const analyst = startAnalyst(histories, deps.analyst);
  try {
    const { name, label, unit } = channel;
    const findings = await analyst.advise({ channel: name, label, unit, ignored, now: now.getTime() });
    const advice = deps.llm
      ? await askForBetter({ ...deps, llm: deps.llm }, config, channel, findings)
      : takeAdvice(findings);
    if (!advice.ok) return advice;
    const comparison = planComparison(config, toLimits(name, advice.value.bands));
    return ok({
      channel: name,
      is_percentage: false,
      proposed_bands: advice.value.bands,
      reasoning: advice.value.reasoning,
      backtest: await compareLimits(analyst, comparison, material),
      advisor: deps.llm ? 'llm' : 'builtin',
    });
  } finally {
    await analyst.dismiss();
  }
}

const takeAdvice = ({ advice }: Findings) => ('refusal' in advice ? refuse(advice.refusal) : ok(advice));

/** Where the statistics have too little to go on, so has the model. */
async function askForBetter(
  { db, llm, analyst: { signal }, pause }: RecommendDeps & { llm: LlmConfig },
  config: ServiceConfig,
  { name, label, unit }: Channel,
  { advice, summary }: Findings,
): Promise<Result<{ bands: ProposedBand[]; reasoning: string[] }, string>> {
  if ('refusal' in advice || !summary) return takeAdvice({ advice, summary });
  const service = first(
    await db.query<{ name: string }>(sql`select name from service where id = ${config.serviceId}`),
  );
  const current = config.limits.get(name) ?? null;
  return consultLlm(
    { llm, signal, ...(pause && { pause }) },
    { serviceName: service?.name ?? '', channel: name, label, unit, current, summary, proposal: advice },
  );
}

const toLimits = (channel: string, bands: ProposedBand[]): Limits => ({
  channel,
  isPercentage: false,
  setpointChannel: null,
  stateChannel: null,
  bands: bands.map(({ band, limit, delay, sustained }) => ({
    band,
    limit,
    delayMinutes: delay,
    sustainedMinutes: sustained,
  })),
});
