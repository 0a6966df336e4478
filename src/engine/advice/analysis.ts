// What an analyst is given and what it answers: the messages between the program and its worker thread.
import type { Advice, AdviceRequest, HistorySummary } from '../../domain/advisor/advise.ts';
import type { ChannelHistory, Span } from '../../domain/advisor/history.ts';
import type { BacktestFigures } from '../../domain/advisor/recommendation.ts';
import type { JudgedLimits } from '../../domain/judging/judge.ts';

/** By channel name. */
export type HistoryByChannel = ReadonlyMap<string, ChannelHistory>;
/** By channel name, as the engine judges by them. */
export type LimitsByChannel = ReadonlyMap<string, JudgedLimits>;

/** The analyst has the history already. */
export type AdviceTask = Omit<AdviceRequest, 'history'>;

export interface BacktestTask {
  /** Each is tried on the same history. */
  limits: LimitsByChannel[];
  window: Span;
}

export type Task = { kind: 'advise'; task: AdviceTask } | { kind: 'backtest'; task: BacktestTask };

export interface Findings {
  advice: Advice;
  /** null when the advisor refuses. */
  summary: HistorySummary | null;
}

export type AnalysisAnswer = Findings | BacktestFigures[];
