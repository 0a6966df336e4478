// What a serving program and its parent tell each other.
import type { ProgramEnd } from './program-end.ts';

/** `recorded`: the ends it was told of stand in the database. */
export type ToParent = { kind: 'beat' | 'up' | 'ask-ends' | 'recorded' };
export type ToProgram = { kind: 'stop' } | { kind: 'ends'; ends: ProgramEnd[] };
