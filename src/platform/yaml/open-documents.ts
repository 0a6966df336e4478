// YAML that somebody else wrote. The library that composes it calls itself for every level and dies where there are
// too many: how large and how deep a text is, is known before it begins.
import { Composer, type Document, isScalar, Lexer, type LineCounter, Parser, visit } from 'yaml';
import type { Sayable } from '../../domain/language/sayable.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';

export interface YamlBounds {
  mostCharacters: number;
  /** Words, signs, the spaces between them, and escapes within them. */
  mostPieces: number;
}

const DEEPEST = 50;

export interface YamlFault {
  offset: number;
  message: Sayable;
}

const PIECES_AT_ONCE = 50;

/** Stops now and then while it measures. Keys that are given twice are left to whoever reads them: the library compares each with all others. */
export function* openDocuments(
  text: string,
  { mostCharacters, mostPieces }: YamlBounds,
  lines?: LineCounter,
): Generator<void, Result<Document.Parsed[], YamlFault>> {
  if (text.length > mostCharacters)
    return refuse({
      offset: 0,
      message: ({ say }) => say('there are more than {most} characters', { most: mostCharacters }),
    });
  lines?.addNewLine(0);
  const parser = new Parser(lines?.addNewLine);
  const tokens = [];
  let pieces = 0;
  let pauseAt = PIECES_AT_ONCE;
  for (const piece of new Lexer().lex(text)) {
    pieces += 1 + countEscapes(piece);
    const { offset } = parser;
    if (pieces >= pauseAt) {
      pauseAt = pieces + PIECES_AT_ONCE;
      yield;
    }
    if (pieces > mostPieces)
      return refuse({
        offset,
        message: ({ say }) => say('there are more than {most} words and signs', { most: mostPieces }),
      });
    tokens.push(...parser.next(piece));
    if (parser.stack.length > DEEPEST)
      return refuse({
        offset,
        message: ({ say }) => say('something stands more than {most} levels deep', { most: DEEPEST }),
      });
  }
  tokens.push(...parser.end());
  yield;
  const composer = new Composer({ stringKeys: true, uniqueKeys: false, prettyErrors: false });
  return ok([...composer.compose(tokens, true, text.length)]);
}

function countEscapes(piece: string): number {
  let count = 0;
  for (let at = piece.indexOf('\\'); at >= 0; at = piece.indexOf('\\', at + 2)) count += 1;
  return count;
}

/** A key that one mapping gives twice; null: there is none. */
export function findTwin(document: Document): string | null {
  let twin: string | null = null;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name)) twin = String(name);
        keys.add(name);
      }
      return twin === null ? undefined : visit.BREAK;
    },
  });
  return twin;
}
