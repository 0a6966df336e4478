// What a language model wrote, read as strictly as the result of any other advisor.

import { readProposal } from '../../domain/advisor/proposed-bands.ts';
import type { ProposedBand } from '../../domain/advisor/recommendation.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import { BANDS } from '../../domain/judging/band.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { toStorable } from '../../domain/storable-text.ts';
import { UNUSABLE } from './failure-words.ts';

export interface LlmAnswer {
  bands: ProposedBand[];
  reasoning: string[];
}

const MOST_SENTENCES = 12;
const LONGEST_SENTENCE = 500;

export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    proposed_bands: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          band: { type: 'string', enum: BANDS },
          limit: { type: 'number' },
          delay: { type: 'number' },
          sustained: { type: 'number' },
        },
        required: ['band', 'limit', 'delay', 'sustained'],
        additionalProperties: false,
      },
    },
    reasoning: { type: 'array', items: { type: 'string' } },
  },
  required: ['proposed_bands', 'reasoning'],
  additionalProperties: false,
};

/** The refusal goes on from `cannot be used:`. */
export function readLlmAnswer(content: string): Result<LlmAnswer, string> {
  const sent = findObject(content);
  if (!sent) return refuse(UNUSABLE.noObject);
  // The channel and the mode are not the model's to choose.
  const proposal = readProposal({ proposed_bands: sent.proposed_bands });
  if (proposal === 'missing') return refuse(UNUSABLE.noBands);
  if (proposal === 'unusable') return refuse(UNUSABLE.badBands);
  const reasoning = readReasoning(sent.reasoning);
  if (reasoning.length === 0) return refuse(UNUSABLE.noReasons);
  const bands = proposal.bands.map(({ band, limit, delayMinutes, sustainedMinutes }) => ({
    band,
    limit: limit ?? 0,
    delay: delayMinutes,
    sustained: sustainedMinutes,
  }));
  return ok({ bands, reasoning });
}

/** The whole text, or what stands between its outermost braces: many wrap their answer in a code fence or in words. */
function findObject(content: string): Record<string, unknown> | null {
  const inner = content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1);
  for (const text of [content, inner]) {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  }
  return null;
}

function readReasoning(value: unknown): string[] {
  const sentences = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  return sentences
    .map((sentence) => toStorable(sentence.replaceAll('\0', '').trim().slice(0, LONGEST_SENTENCE)))
    .filter((sentence) => sentence !== '')
    .slice(0, MOST_SENTENCES);
}
