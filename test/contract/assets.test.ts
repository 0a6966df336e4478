import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ASSETS_FOLDER, assetAddress } from '../../src/platform/html/asset-address.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

describe('GET /assets/', () => {
  test.each([
    ['/assets/tocsin.css', 'text/css; charset=utf-8'],
    ['/assets/tocsin.svg', 'image/svg+xml'],
  ])('%s comes as %s, to be kept for an hour', async (path, type) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test.each(['tocsin.css', 'htmx.js', 'app.js'])(
    '%s under the address that pages use is kept for good',
    async (name) => {
      const address = assetAddress(name);
      expect(address).toMatch(/\?v=[0-9a-f]{12}$/);
      const answer = await get(address);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    },
  );

  test('a version that this program does not have is not kept for good', async () => {
    const answer = await get('/assets/app.js?v=000000000000');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('to those who accept %s it comes as %s', async (accepted, encoding) => {
    const answer = await get('/assets/htmx.js', { 'accept-encoding': accepted });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(await answer.text()).toContain('htmx');
  });

  test('everything that a page loads is small', async () => {
    const sizes = ['tocsin.css', 'tocsin.svg', 'htmx.js', 'app.js'].map(
      (name) => statSync(join(ASSETS_FOLDER, `${name}.gz`)).size,
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(50_000);
  });

  test('a file that has not changed is not sent again', async () => {
    const etag = (await get('/assets/tocsin.css')).headers.get('etag') ?? '';
    // Without a word of its own on caching, fetch would ask for a fresh copy.
    const answer = await get('/assets/tocsin.css', { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe('');
  });

  test('a bad token does not matter', async () => {
    const headers = { authorization: 'Bearer nonsense', cookie: 'access_token=nonsense' };
    expect((await get('/assets/tocsin.css', headers)).status).toBe(200);
  });

  test.each(['/assets/', '/assets', '/assets/nothing.css', '/assets/app.js.gz', '/assets/..%2fpackage.json'])(
    '%s is as unknown as any unknown path',
    async (path) => {
      const answer = await get(path, { authorization: 'Bearer nonsense' });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ detail: 'Not Found' });
    },
  );

  test('a known file with another method names the methods it knows', async () => {
    const answer = await fetch(`${server.url}/assets/tocsin.css`, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});
