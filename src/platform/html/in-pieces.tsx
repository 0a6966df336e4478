// A long page is drawn a piece at a time, so that others are answered in between: its rows, cards or stickers, each by itself.
import type { FastifyReply } from 'fastify';
import {
  type ComponentChild,
  type ComponentChildren,
  createContext,
  Fragment,
  h,
  toChildArray,
  type VNode,
} from 'preact';
import { useContext } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';
import { inSlices } from '../in-slices.ts';

/** Whoever gathers them; null: they are drawn where they stand. */
const Pieces = createContext<ComponentChild[] | null>(null);

/** What stands for a piece until it is drawn. Nobody can write it: what people type is escaped. */
const HOLE = 'x-piece';
const DRAWN_HOLE = `<${HOLE}></${HOLE}>`;

/** Its children may be many. They know nothing of what was provided around them. */
export const InPieces = ({ children }: { children: ComponentChildren }) => {
  const pieces = useContext(Pieces);
  if (pieces === null) return <>{children}</>;
  return (
    <>
      {toChildArray(children).map((child) => {
        pieces.push(child);
        return h(HOLE, {});
      })}
    </>
  );
};

/** At once as a text; in pieces as the bytes that are sent: to make them of one long text takes its time, too. */
export type Rendered = string | Promise<Buffer>;

export function renderInPieces<Props>(view: VNode<Props>): Rendered {
  const pieces: ComponentChild[] = [];
  const drawn = renderToString(<Pieces.Provider value={pieces}>{view}</Pieces.Provider>);
  return pieces.length === 0 ? drawn : inSlices(fillHoles(drawn.split(DRAWN_HOLE), pieces));
}

function* fillHoles([first = '', ...rest]: string[], pieces: ComponentChild[]): Generator<void, Buffer> {
  const parts = [Buffer.from(first)];
  for (const [index, after] of rest.entries()) {
    parts.push(Buffer.from(renderToString(h(Fragment, {}, pieces[index])) + after));
    yield;
  }
  return Buffer.concat(parts);
}

export function sendRendered(reply: FastifyReply, html: Rendered): FastifyReply {
  if (typeof html === 'string') return reply.send(html);
  html.then(
    (whole) => reply.send(whole),
    (error) => reply.send(error),
  );
  return reply;
}
