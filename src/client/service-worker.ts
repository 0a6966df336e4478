// Shows what is pushed, and the alarms as they last stood where there is no network. It keeps one page of one person, and
// lets go of it when they sign out.
import { speakAs } from './app/page-language.ts';
import { addNotice, isAboutWho } from './worker/kept-page.ts';

interface Waiting {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends Waiting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface PushEvent extends Waiting {
  data: { json(): unknown } | null;
}
interface ClickEvent extends Waiting {
  notification: { close(): void; data?: { url?: string } };
}
interface Worker {
  addEventListener(type: 'install' | 'activate', act: (event: Waiting) => void): void;
  addEventListener(type: 'fetch', act: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', act: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', act: (event: ClickEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void>; openWindow(url: string): Promise<unknown> };
  registration: { showNotification(title: string, options: object): Promise<void> };
  location: { origin: string };
}
const worker = self as unknown as Worker;

const PAGES = 'tocsin-alarms';
const PARTS = 'tocsin-assets';
const ALARMS = '/';
const STORED_AT = 'x-stored-at';

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== worker.location.origin) return;
  if (request.mode === 'navigate') return event.respondWith(openPage(request, pathname));
  if (request.method === 'GET' && pathname.startsWith('/assets/') && searchParams.has('v'))
    event.respondWith(openAsset(request));
});

async function openPage(request: Request, pathname: string): Promise<Response> {
  if (isAboutWho(pathname)) await caches.delete(PAGES);
  if (pathname !== ALARMS || request.method !== 'GET') return fetch(request);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected && answer.type === 'basic') await keep(answer.clone());
    else if (answer.status < 500) await caches.delete(PAGES);
    return answer;
  } catch (fault) {
    const kept = await (await caches.open(PAGES)).match(ALARMS);
    if (!kept) throw fault;
    return asOld(kept);
  }
}

async function keep(answer: Response): Promise<void> {
  const headers = new Headers(answer.headers);
  headers.set(STORED_AT, String(Date.now()));
  const page = new Response(await answer.text(), { headers });
  await (await caches.open(PAGES)).put(ALARMS, page);
}

async function asOld(kept: Response): Promise<Response> {
  const storedAt = Number(kept.headers.get(STORED_AT));
  const time = new Date(storedAt).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const page = addNotice(await kept.text(), { ageMs: Date.now() - storedAt, time });
  return new Response(page, { headers: kept.headers });
}

/** Under an address with its version a file never changes; of each one version is kept. */
async function openAsset(request: Request): Promise<Response> {
  const parts = await caches.open(PARTS);
  const kept = await parts.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await parts.delete(request, { ignoreSearch: true });
    await parts.put(request, answer.clone());
  }
  return answer;
}

interface Pushed {
  notification?: { title?: string; body?: string; navigate?: string; tag?: string };
}

/** Something is always shown: browsers end a subscription that stays silent. */
worker.addEventListener('push', (event) => {
  const { notification = {} } = readPushed(event);
  const {
    title = 'Tocsin',
    body = speakAs(navigator.language).say('Look at the alarms.'),
    navigate = ALARMS,
    tag,
  } = notification;
  const options = {
    body,
    tag,
    renotify: tag !== undefined,
    requireInteraction: true,
    icon: '/assets/icon-192.png',
    data: { url: navigate },
  };
  event.waitUntil(worker.registration.showNotification(title, options));
});

function readPushed({ data }: PushEvent): Pushed {
  try {
    return (data?.json() ?? {}) as Pushed;
  } catch {
    return {};
  }
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(event.notification.data?.url ?? ALARMS));
});
