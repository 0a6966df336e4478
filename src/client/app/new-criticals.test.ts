import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { findNew, sayCriticals } from './new-criticals.ts';

const freezer: [string, string] = ['alarm-7 1', 'Freezer 3'];
const fridge: [string, string] = ['alarm-8 1', 'Fridge'];

test.each<[sentence: string, all: [string, string][], known: string[], fresh: string[]]>([
  ['what was there before is not new', [freezer], ['alarm-7 1'], []],
  ['another service is', [freezer, fridge], ['alarm-7 1'], ['Fridge']],
  ['the same service in another episode is', [['alarm-7 2', 'Freezer 3']], ['alarm-7 1'], ['Freezer 3']],
  ['what is over is not', [], ['alarm-7 1'], []],
])('%s', (_, all, known, fresh) => expect(findNew(new Map(all), new Set(known))).toEqual(fresh));

test.each([
  [['Freezer 3'], '▲ Critical: Freezer 3'],
  [['Freezer 3', 'Fridge'], '▲ Critical: Freezer 3 and 1 more'],
  [['Freezer 3', 'Fridge', 'Oven'], '▲ Critical: Freezer 3 and 2 more'],
])('%j: the tab says %s', (names, title) => expect(sayCriticals(names, english)).toBe(title));
