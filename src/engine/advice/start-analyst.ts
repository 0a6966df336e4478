// An analyst is a worker thread that holds one history and answers questions about it, until it is dismissed.
import type { BacktestFigures } from '../../domain/advisor/recommendation.ts';
import { write } from '../../domain/words/written.ts';
import { startThread, threadFile } from '../../platform/start-thread.ts';
import type {
  AdviceTask,
  AnalysisAnswer,
  BacktestTask,
  Findings,
  HistoryByChannel,
  Task,
} from './analysis.ts';
import { FAILURES } from './failure-words.ts';

export interface Analyst {
  advise(task: AdviceTask): Promise<Findings>;
  /** Answers in the order of the limits. */
  backtest(task: BacktestTask): Promise<BacktestFigures[]>;
  dismiss(): Promise<unknown>;
}

/** The analysis itself went wrong; the message is a sentence for people. */
export class AnalysisFailure extends Error {}

/** One answer. 30 days of a reading each minute take about half a second. */
export const LONGEST_ANALYSIS_MS = 60_000;
const MOST_MEMORY_MB = 512;

const ANALYST = threadFile('analyst');

/** Takes the history over: the caller's arrays are empty afterwards. */
export function startAnalyst(
  histories: HistoryByChannel,
  { signal, longestMs = LONGEST_ANALYSIS_MS, file = ANALYST }: AnalystSettings,
): Analyst {
  signal.throwIfAborted();
  const worker = startThread(file, {
    workerData: histories,
    transferList: [...histories.values()].flatMap(({ at, value }) => [
      at.buffer,
      value.buffer,
    ]) as ArrayBuffer[],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const broken = (error?: Error) =>
    new AnalysisFailure(
      error ? write(FAILURES.brokeOffSaying, { said: error.message }) : write(FAILURES.brokeOff),
    );
  // Between two questions nobody listens; the next one then finds it gone.
  let loss: AnalysisFailure | null = null;
  worker.on('error', (error) => {
    loss = broken(error);
  });
  worker.on('exit', () => {
    loss ??= broken();
  });

  const ask = (task: Task): Promise<AnalysisAnswer> =>
    new Promise((resolve, reject) => {
      const onAnswer = (answer: AnalysisAnswer) => finish(() => resolve(answer));
      const onLoss = () => finish(() => reject(loss));
      const onAbort = () => finish(() => reject(signal.reason));
      const onTimeout = () =>
        finish(() => reject(new AnalysisFailure(write(FAILURES.tookLonger, { seconds: longestMs / 1000 }))));
      const timer = setTimeout(onTimeout, longestMs);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        worker.off('message', onAnswer).off('exit', onLoss);
        settle();
      };
      worker.on('message', onAnswer).on('exit', onLoss);
      signal.addEventListener('abort', onAbort);
      if (loss) onLoss();
      else if (signal.aborted) onAbort();
      else worker.postMessage(task);
    });

  return {
    advise: (task) => ask({ kind: 'advise', task }) as Promise<Findings>,
    backtest: (task) => ask({ kind: 'backtest', task }) as Promise<BacktestFigures[]>,
    dismiss: () => worker.terminate(),
  };
}

export interface AnalystSettings {
  /** Gives up on the question under way. */
  signal: AbortSignal;
  longestMs?: number;
  /** Tests bring analysts of their own. */
  file?: string;
}
