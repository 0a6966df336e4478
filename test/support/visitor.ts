// A person's browser: it keeps the cookie, says where a form was sent from, and follows no redirect by itself.
import { PASSWORD, type Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export interface VisitorBrowser {
  open(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The address that it shows, after any redirects. */
  read(path: string): Promise<string>;
  send(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  signsIn(person: Person, next?: string): Promise<Response>;
}

/** `asks`: what it says of itself with every request, such as a language. */
export function openVisitor(
  server: Pick<TestServer, 'url'>,
  asks: Record<string, string> = {},
): VisitorBrowser {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      ...asks,
      ...(cookie !== '' && { cookie }),
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(server.url + path, { redirect: 'manual', ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const browser: VisitorBrowser = {
    open: (path, headers = {}) => ask(path, { headers }),
    async read(path) {
      const answer = await browser.open(path);
      const next = answer.headers.get('location');
      return next === null ? answer.text() : browser.read(next);
    },
    send: (path, form = {}, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { origin: server.url, 'sec-fetch-site': 'same-origin', ...headers },
      }),
    signsIn: ({ email }, next) =>
      browser.send('/login', { username: email, password: PASSWORD, ...(next !== undefined && { next }) }),
  };
  return browser;
}

export async function signedIn(server: Pick<TestServer, 'url'>, person: Person): Promise<VisitorBrowser> {
  const browser = openVisitor(server);
  await browser.signsIn(person);
  return browser;
}
