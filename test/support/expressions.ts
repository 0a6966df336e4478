// Every regular expression of a source, and what in it takes longer the longer a text is looked at.
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { parseSync } from 'oxc-parser';
import { getConsumedChars, isPotentiallyEmpty, type ReadonlyFlags } from 'regexp-ast-analysis';
import { analyse } from 'scslre';

export interface Expression {
  line: number;
  /** null: it is made of a text while the program runs. */
  literal: { pattern: string; flags: string } | null;
}

interface SyntaxNode {
  type: string;
  start: number;
  [name: string]: unknown;
}

/** Methods of texts that make an expression of a text they are given. */
const MAKERS = ['match', 'matchAll', 'search'];

export function listExpressions(file: string, text: string): Expression[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Expression[] = [];
  const lineOf = ({ start }: SyntaxNode) => text.slice(0, start).split('\n').length;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const inner of node) visit(inner);
    if (!isNode(node)) return;
    const regex = node.regex as { pattern: string; flags: string } | undefined;
    if (node.type === 'Literal' && regex) found.push({ line: lineOf(node), literal: regex });
    if (isMaking(node)) found.push({ line: lineOf(node), literal: null });
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(program);
  return found;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value;

function isMaking({ type, callee, arguments: given }: SyntaxNode): boolean {
  if ((type !== 'NewExpression' && type !== 'CallExpression') || !isNode(callee)) return false;
  if (callee.type === 'Identifier') return callee.name === 'RegExp';
  const [first] = given as SyntaxNode[];
  const called = (callee.property as { name?: string } | undefined)?.name ?? '';
  const isText = first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && !first.regex);
  return callee.type === 'MemberExpression' && MAKERS.includes(called) && isText;
}

/** Why it may take long; null: its time grows as the text does. */
export function findSlowness(pattern: string, flags: string): string | null {
  const { reports } = analyse({ source: pattern, flags });
  const [report] = reports;
  if (report) {
    const degree = report.exponential ? 'exponential' : 'polynomial';
    return `${degree}, by many ${JSON.stringify(report.character.pick)}`;
  }
  return findRepeatedBeginning(pattern, flags);
}

/**
 * What is not tied to the beginning is tried at every place. Where it goes on to the end of the text from each of them, as
 * `<a [^>]*>` does in many `<a `, that is the square of the length.
 */
function findRepeatedBeginning(pattern: string, flags: string): string | null {
  if (flags.includes('y')) return null;
  const parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const rules: ReadonlyFlags = {
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('s'),
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  };
  let slow: string | null = null;
  visitRegExpAST(parsed, {
    onQuantifierEnter(node) {
      if (node.max !== Number.POSITIVE_INFINITY) return;
      const { before, after } = surroundingsOf(node);
      const isTied = before.some(
        (one) => one.type === 'Assertion' && one.kind === 'start' && !rules.multiline,
      );
      if (isTied || before.length === 0 || !after.some((one) => isNeeded(one, rules))) return;
      const repeated = getConsumedChars(node.element, rules).chars;
      const consumed = before.map((one) => getConsumedChars(one, rules).chars).filter((set) => !set.isEmpty);
      if (consumed.length > 0 && consumed.every((set) => !set.isDisjointWith(repeated)))
        slow = `polynomial, by many beginnings before ${node.raw}`;
    },
  });
  return slow;
}

const isNeeded = (element: AST.Element, rules: ReadonlyFlags): boolean =>
  (element.type === 'Assertion' && element.kind === 'end') || !isPotentiallyEmpty(element, rules);

/** What stands before and after it, on all levels around it. */
function surroundingsOf(node: AST.Quantifier): { before: AST.Element[]; after: AST.Element[] } {
  const before: AST.Element[] = [];
  const after: AST.Element[] = [];
  let current: AST.Node = node;
  while (current.parent) {
    const { parent }: { parent: AST.Node | null } = current;
    if (parent?.type === 'Alternative') {
      const place = parent.elements.indexOf(current as AST.Element);
      before.unshift(...parent.elements.slice(0, place));
      after.push(...parent.elements.slice(place + 1));
    }
    current = parent as AST.Node;
  }
  return { before, after };
}
