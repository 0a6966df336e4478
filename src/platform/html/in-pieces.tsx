// A long page is drawn a piece at a time, so that others are answered in between: its rows, cards or stickers, each by itself.
import type { FastifyReply } from 'fastify';
import {
  type ComponentChild,
  type ComponentChildren,
  createContext,
  h,
  toChildArray,
  type VNode,
} from 'preact';
import { useContext } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';
import { inSlices } from '../in-slices.ts';

/** Whoever gathers them; null: they are drawn where they stand. */
const Pieces = createContext<ComponentChildren[] | null>(null);

/** What stands for pieces until they are drawn. Nobody can write it: what people type is escaped. */
const HOLE = 'x-pieces';
const DRAWN_HOLE = `<${HOLE}></${HOLE}>`;

/** Its children may be many, and have such children again. They know nothing of what was provided around them. */
export const InPieces = ({ children }: { children: ComponentChildren }) => {
  const gathered = useContext(Pieces);
  if (gathered === null) return <>{children}</>;
  gathered.push(children);
  return h(HOLE, {});
};

/** At once as a text; in pieces as the bytes that are sent: to make them of one long text takes its time, too. */
export type Rendered = string | Promise<Buffer>;

export function renderInPieces<Props>(view: VNode<Props>): Rendered {
  const { texts, gathered } = draw(view);
  return gathered.length === 0 ? (texts[0] ?? '') : inSlices(join(texts, gathered));
}

interface Drawn {
  /** Before, between and after what was gathered. */
  texts: string[];
  gathered: ComponentChildren[];
}

function draw(view: ComponentChild): Drawn {
  const gathered: ComponentChildren[] = [];
  const drawn = renderToString(<Pieces.Provider value={gathered}>{view}</Pieces.Provider>);
  return { texts: gathered.length === 0 ? [drawn] : drawn.split(DRAWN_HOLE), gathered };
}

function* join(texts: readonly string[], gathered: readonly ComponentChildren[]): Generator<void, Buffer> {
  const parts: Buffer[] = [];
  yield* fillHoles(texts, gathered, parts);
  return Buffer.concat(parts);
}

function* fillHoles(
  texts: readonly string[],
  gathered: readonly ComponentChildren[],
  parts: Buffer[],
): Generator<void> {
  for (const [index, text] of texts.entries()) {
    parts.push(Buffer.from(text));
    for (const piece of toChildArray(gathered[index])) {
      const drawn = draw(piece);
      yield;
      yield* fillHoles(drawn.texts, drawn.gathered, parts);
    }
  }
}

export function sendRendered(reply: FastifyReply, html: Rendered): FastifyReply {
  if (typeof html === 'string') return reply.send(html);
  html.then(
    (whole) => reply.send(whole),
    (error) => reply.send(error),
  );
  return reply;
}
