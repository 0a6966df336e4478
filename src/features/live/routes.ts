// Server-sent events for open pages: that something changed in what their visitor may see, never what.

import { PassThrough } from 'node:stream';
import { findToken } from '../../engine/requests/find-signed-in.ts';
import { answerDetail } from '../../platform/http/answers.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { type HubDeps, openHub, type Stream } from './hub.ts';

const CHANGED = 'event: changed\ndata:\n\n';
const BEAT = 'event: beat\ndata:\n\n';
/** Also tells the browser how soon to come back, should it lose the stream. */
const WELCOME = 'retry: 3000\n\n';
/** More than this waits only for somebody who does not read. */
const MOST_UNREAD_BYTES = 16_384;

export function routeLive(app: HttpServer, deps: HubDeps & { publicUrl: () => URL | null }): void {
  const hub = openHub(deps);
  // Otherwise open streams would hold up a program that stops.
  app.addHook('preClose', async () => hub.close());

  app.route({
    method: 'GET',
    url: '/live',
    config: { isPage: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const token = findToken(request, deps.publicUrl());
      if (!request.signedIn || token === null) return answerDetail(reply, 401, 'Authentication required');

      const body = new PassThrough();
      const write = (text: string) => {
        if (body.writableLength > MOST_UNREAD_BYTES) body.destroy();
        else body.write(text);
      };
      const stream: Stream = {
        accountId: request.signedIn.accountId,
        token,
        tell: () => write(CHANGED),
        beat: () => write(BEAT),
        end: () => body.end(),
      };
      body.once('close', () => hub.leave(stream));
      reply.raw.once('close', () => hub.leave(stream));
      if (!(await hub.join(stream))) return answerDetail(reply, 429, 'Too many open pages');

      body.write(WELCOME);
      return reply
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .type('text/event-stream; charset=utf-8')
        .send(body);
    },
  });
}
