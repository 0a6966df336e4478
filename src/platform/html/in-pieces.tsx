// A long page is drawn a piece at a time, so that others are answered in between: each row, card or choice of a long list by
// itself, wherever the list stands.
import type { FastifyReply } from 'fastify';
import {
  type ComponentChildren,
  createContext,
  Fragment,
  h,
  options,
  toChildArray,
  type VNode,
} from 'preact';
import { useContext } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';
import type { Language } from '../../domain/language/speak.ts';
import { inSlices } from '../in-slices.ts';
import { Spoken } from './language.tsx';

/** Longer lists are in pieces. */
const LONG = 10;

/** Whoever gathers lists; null: they are drawn where they stand. */
const Gatherer = createContext<ComponentChildren[] | null>(null);

/** What stands for a list until it is drawn. Nobody can write it: what people type is escaped. */
const HOLE = 'x-pieces';
const DRAWN_HOLE = `<${HOLE}></${HOLE}>`;

/** Its items may have long lists again. They know nothing of what was provided around them but the language. */
const LongList = ({ children }: { children: ComponentChildren }) => {
  const gathered = useContext(Gatherer);
  if (gathered === null) return children;
  gathered.push(children);
  return h(HOLE, {});
};

const isLong = (children: ComponentChildren): boolean => Array.isArray(children) && children.length > LONG;

/** Of every element, when it is made: no view has to think of it. */
const { vnode: goOn } = options;
options.vnode = (vnode) => {
  const { children } = vnode.props;
  if ((typeof vnode.type === 'string' || vnode.type === Fragment) && Array.isArray(children)) {
    if (isLong(children)) vnode.props.children = h(LongList, null, children);
    else if (children.some(isLong))
      vnode.props.children = children.map((child) => (isLong(child) ? h(LongList, null, child) : child));
  }
  goOn?.(vnode);
};

/** At once as a text; in pieces as the bytes that are sent: to make them of one long text takes its time, too. */
export type Rendered = string | Promise<Buffer>;

export function renderInPieces<Props>(view: VNode<Props>, language: Language): Rendered {
  const drawn = draw(view, language);
  return drawn.gathered.length === 0 ? drawn.texts.join('') : inSlices(join(drawn));
}

interface Drawn {
  /** Before, between and after the lists. */
  texts: string[];
  gathered: ComponentChildren[];
  language: Language;
}

function draw(view: ComponentChildren, language: Language): Drawn {
  const gathered: ComponentChildren[] = [];
  const drawn = renderToString(
    <Spoken.Provider value={language}>
      <Gatherer.Provider value={gathered}>{view}</Gatherer.Provider>
    </Spoken.Provider>,
  );
  return { texts: gathered.length === 0 ? [drawn] : drawn.split(DRAWN_HOLE), gathered, language };
}

const PART = 16_384;

function* join(drawn: Drawn): Generator<void, Buffer> {
  const parts: Buffer[] = [];
  let last = '';
  for (const text of fillHoles(drawn)) {
    last += text;
    if (last.length >= PART) {
      parts.push(Buffer.from(last));
      last = '';
    }
    yield;
  }
  parts.push(Buffer.from(last));
  return Buffer.concat(parts);
}

function* fillHoles({ texts, gathered, language }: Drawn): Generator<string> {
  for (const [index, text] of texts.entries()) {
    yield text;
    for (const piece of toChildArray(gathered[index])) yield* fillHoles(draw(piece, language));
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
