// One question to an OpenAI-compatible interface, and what came of it. The key goes nowhere but into its header.
import { parseJson } from '../../domain/json/parse-json.ts';
import { trimEnd } from '../../domain/trim-sign.ts';
import { write } from '../../domain/words/written.ts';
import type { LlmConfig } from '../../platform/config.ts';
import { LLM_FAILURES } from './failure-words.ts';

export interface Prompt {
  role: 'system' | 'user';
  content: string;
}

export type Exchange =
  | { content: string }
  | {
      /** A sentence that a person can act on. */
      failure: string;
      /** Before asking again; `never`: asking again is no use. */
      waitMs: number | 'usual' | 'never';
    }
  /** The interface knows no structured output; the prompt alone has to do. */
  | { isFormatRefused: true; failure: string };

export interface LlmQuestion {
  messages: Prompt[];
  /** JSON schema of the answer; null: only the prompt says what it has to look like. */
  schema: object | null;
}

const MOST_BYTES = 1024 * 1024;
/** Who asks for more is not waited for. */
export const LONGEST_WAIT_MS = 30_000;

/** Throws only when `signal` gives up. */
export async function askLlm(
  config: LlmConfig,
  question: LlmQuestion,
  signal: AbortSignal,
): Promise<Exchange> {
  const timeout = AbortSignal.timeout(config.timeoutSeconds * 1000);
  try {
    const response = await fetch(findAddress(config.url), {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(config.key !== null && { authorization: `Bearer ${config.key}` }),
      },
      body: JSON.stringify({
        model: config.model,
        messages: question.messages,
        ...(question.schema && {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'limits', strict: true, schema: question.schema },
          },
        }),
      }),
    });
    const sent = await readText(response);
    if (sent === null)
      return { failure: write(LLM_FAILURES.tooLarge, { model: nameOf(config) }), waitMs: 'never' };
    const text = withoutKey(config, sent);
    return response.ok ? readCompletion(config, text) : explainStatus(config, question, response, text);
  } catch (error) {
    signal.throwIfAborted();
    const failure = timeout.aborted
      ? write(LLM_FAILURES.noAnswer, { model: nameOf(config), seconds: config.timeoutSeconds })
      : write(LLM_FAILURES.unreachable, { model: nameOf(config), said: nameCause(error) });
    return { failure, waitMs: 'usual' };
  }
}

function findAddress(base: URL): URL {
  const address = new URL(base);
  address.pathname = `${trimEnd(address.pathname, '/')}/chat/completions`;
  return address;
}

// The host alone: a query may carry a secret.
const nameOf = ({ url }: LlmConfig): string => write(LLM_FAILURES.model, { name: url.host });

/** null: too long. */
async function readText(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readCompletion(config: LlmConfig, text: string): Exchange {
  const sent = parseJson(text) as {
    choices?: { message?: { content?: unknown; refusal?: unknown } | null; finish_reason?: unknown }[];
  } | null;
  const model = nameOf(config);
  const choice = Array.isArray(sent?.choices) ? sent.choices[0] : undefined;
  const { content, refusal } = choice?.message ?? {};
  if (typeof refusal === 'string' && refusal !== '')
    return { failure: write(LLM_FAILURES.declined, { model, said: shorten(refusal) }), waitMs: 'never' };
  if (typeof content === 'string' && content.trim() !== '') {
    if (choice?.finish_reason === 'length')
      return { failure: write(LLM_FAILURES.brokenOff, { model }), waitMs: 'usual' };
    return { content };
  }
  return { failure: write(LLM_FAILURES.empty, { model }), waitMs: 'usual' };
}

function explainStatus(
  config: LlmConfig,
  { schema }: LlmQuestion,
  response: Response,
  text: string,
): Exchange {
  const { status } = response;
  const model = nameOf(config);
  const giveUp = (failure: string): Exchange => ({ failure, waitMs: 'never' });
  if (status >= 300 && status < 400) return giveUp(write(LLM_FAILURES.elsewhere, { model }));
  if (status === 401 || status === 403) return giveUp(write(LLM_FAILURES.badKey, { model, status }));
  if (status === 408 || status === 429 || status >= 500) return explainPause(model, response);
  const said = (parseJson(text) as { error?: { message?: unknown } } | null)?.error?.message;
  const failure =
    typeof said === 'string'
      ? write(LLM_FAILURES.answeredSaying, { model, status, said: shorten(said) })
      : write(LLM_FAILURES.answered, { model, status });
  return (status === 400 || status === 422) && schema ? { isFormatRefused: true, failure } : giveUp(failure);
}

function explainPause(model: string, { status, headers }: Response): Exchange {
  const asked = readRetryAfter(headers);
  const failure =
    status === 429 ? write(LLM_FAILURES.tooMany, { model }) : write(LLM_FAILURES.failed, { model, status });
  if (asked === null) return { failure, waitMs: 'usual' };
  if (asked <= LONGEST_WAIT_MS) return { failure, waitMs: asked };
  const seconds = Math.round(asked / 1000);
  return { failure: write(LLM_FAILURES.asksToWait, { failure, seconds }), waitMs: 'never' };
}

/** Milliseconds. Sent as seconds, or as a date, which is taken by the clock of whoever sent it. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

/** Should it be repeated, nobody is to read it here: answers are stored and shown. */
const withoutKey = ({ key }: LlmConfig, text: string): string =>
  key === null ? text : text.replaceAll(key, '…');

/** What others say, on one line. */
function shorten(text: string): string {
  const clean = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}

function nameCause(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name;
}
