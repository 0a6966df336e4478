// Asks the language model until it gives an answer that can be used, or there is no use in asking.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Result, refuse } from '../../domain/result.ts';
import { write } from '../../domain/words/written.ts';
import type { LlmConfig } from '../../platform/config.ts';
import { askLlm, type LlmQuestion, LONGEST_WAIT_MS } from './ask-llm.ts';
import { LLM_FAILURES } from './failure-words.ts';
import { ANSWER_SCHEMA, type LlmAnswer, readLlmAnswer } from './llm-answer.ts';
import { type LlmCase, writePrompt } from './llm-prompt.ts';

const MOST_TRIES = 3;
const USUAL_WAIT_MS = 2_000;

/** A consultation that takes longer has died. */
export const longestConsultationMs = ({ timeoutSeconds }: LlmConfig): number =>
  MOST_TRIES * (timeoutSeconds * 1000 + LONGEST_WAIT_MS);

export interface Consultation {
  llm: LlmConfig;
  signal: AbortSignal;
  /** Tests do not wait. */
  pause?(ms: number): Promise<unknown>;
}

/** The refusal is the reason, for people. */
export async function consultLlm(
  { llm, signal, pause = (ms) => sleep(ms, undefined, { signal }) }: Consultation,
  asked: LlmCase,
): Promise<Result<LlmAnswer, string>> {
  const question: LlmQuestion = { messages: writePrompt(asked), schema: ANSWER_SCHEMA };
  let failure = '';
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const exchange = await askLlm(llm, question, signal);
    if ('content' in exchange) {
      const answer = readLlmAnswer(exchange.content);
      if (answer.ok) return answer;
      failure = write(LLM_FAILURES.unusable, { why: answer.refusal });
      question.messages.push({
        role: 'user',
        content: `${failure} Answer again, with the JSON object only.`,
      });
      continue;
    }
    failure = exchange.failure;
    if ('isFormatRefused' in exchange) {
      question.schema = null;
      continue;
    }
    if (exchange.waitMs === 'never') return refuse(failure);
    const waitMs = exchange.waitMs === 'usual' ? USUAL_WAIT_MS * 4 ** (tries - 1) : exchange.waitMs;
    if (tries < MOST_TRIES) await pause(waitMs);
  }
  return refuse(write(LLM_FAILURES.askedOften, { failure, count: MOST_TRIES }));
}
