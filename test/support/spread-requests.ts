// Several programs behind one address, as behind a load balancer that gives each request to the next of them.
import type { RequestListener } from 'node:http';
import type { HttpServer } from '../../src/platform/http/server.ts';

/** The first one listens, and its connections are everybody's. */
export async function spreadRequests(first: HttpServer, others: readonly HttpServer[]): Promise<void> {
  for (const app of others) await app.ready();
  // The one that answers is the first; those after it look after connections.
  const programs = [first, ...others].map(({ server }) => server.listeners('request')[0] as RequestListener);
  let turn = 0;
  first.server.off('request', programs[0] as RequestListener);
  first.server.on('request', (request, response) => {
    turn += 1;
    programs[turn % programs.length]?.(request, response);
  });
}
