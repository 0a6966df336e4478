// The entry of the worker thread: statistics and backtests take seconds, and the program has others to answer meanwhile.
import { parentPort, workerData } from 'node:worker_threads';
import { advise, summarize } from '../../domain/advisor/advise.ts';
import { backtest } from '../../domain/advisor/backtest.ts';
import { mergeMeasurements } from '../../domain/advisor/history.ts';
import type {
  AdviceTask,
  AnalysisAnswer,
  BacktestTask,
  Findings,
  HistoryByChannel,
  Task,
} from './analysis.ts';

const histories = workerData as HistoryByChannel;

parentPort?.on('message', (given: Task) => parentPort?.postMessage(work(given)));

const work = (given: Task): AnalysisAnswer =>
  given.kind === 'advise' ? findAdvice(given.task) : tryLimits(given.task);

function findAdvice(task: AdviceTask): Findings {
  const history = histories.get(task.channel) ?? { at: new Float64Array(), value: new Float64Array() };
  const request = { ...task, history };
  const advice = advise(request);
  return { advice, summary: 'refusal' in advice ? null : summarize(request) };
}

const tryLimits = ({ limits, window }: BacktestTask) =>
  limits.map((each) => backtest(mergeMeasurements(histories), each, window));
