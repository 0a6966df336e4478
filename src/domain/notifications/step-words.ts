// Steps keep a word from before there was one for stale services: in their table, in lab files and in forms it is `system`.
import type { Beginning } from './subject.ts';

export const STEP_WORDS = ['critical', 'warning', 'system'] as const;
type StepWord = (typeof STEP_WORDS)[number];

export const toStepWord = (subject: Beginning): StepWord => (subject === 'stale' ? 'system' : subject);

export const ofStepWord = (word: StepWord): Beginning => (word === 'system' ? 'stale' : word);
