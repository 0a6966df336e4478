// What an advisor proposes, in the words of the result file: the same keys are stored, shown and delivered by others.
import type { BandName } from '../judging/band.ts';

export interface ProposedBand {
  band: BandName;
  limit: number;
  /** Minutes. */
  delay: number;
  /** Minutes. */
  sustained: number;
}

/** How often limits would have fired on the stored history, and for how long. */
export interface BacktestFigures {
  alarms: number;
  alarm_minutes: number;
  longest_minutes: number;
}

export interface Backtest {
  from: string;
  to: string;
  readings: number;
  current: BacktestFigures;
  proposed: BacktestFigures;
}

/** A completed result as our own advisors make it. Others may deliver any JSON object. */
export interface RecommendationResult {
  channel: string;
  is_percentage: boolean;
  proposed_bands: ProposedBand[];
  /** One plain sentence each. */
  reasoning: string[];
  backtest: Backtest | null;
  advisor: 'builtin' | 'llm';
}
