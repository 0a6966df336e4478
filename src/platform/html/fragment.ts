// Contract, Fragments: to a request with the header HX-Request several endpoints answer with an HTML fragment.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type TSchema, Type } from 'typebox';
import { english } from '../../domain/language/english.ts';
import type { Language } from '../../domain/language/speak.ts';
import { type Rendered, sendRendered } from './in-pieces.tsx';
import { Spoken } from './language.tsx';

export const wantsFragment = ({ headers }: FastifyRequest): boolean => headers['hx-request'] !== undefined;

export const renderFragment = <Props>(view: VNode<Props>, language: Language = english): string =>
  renderToString(h(Spoken.Provider, { value: language, children: view }));

export const answerFragment = (reply: FastifyReply, html: Rendered): FastifyReply =>
  sendRendered(reply.type('text/html; charset=utf-8'), html);

/** The answer of a route that has both, for its documentation. */
export const jsonOrFragment = <Json extends TSchema>(description: string, json: Json) => ({
  description,
  content: {
    'application/json': { schema: json },
    'text/html': {
      schema: Type.String({ description: 'With the header HX-Request: what replaces the part clicked' }),
    },
  },
});
