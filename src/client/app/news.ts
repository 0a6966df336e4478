// That something changed on the server. One tab of a browser holds the stream and tells the others: browsers allow a server
// few connections. Where tabs cannot agree, each holds its own.

export interface LiveNews {
  onChange(): void;
  onLost(): void;
}

type Message = 'open' | 'changed' | 'lost';

export function hearNews(news: LiveNews): void {
  const hear = (message: Message) => (message === 'lost' ? news.onLost() : news.onChange());
  if (!navigator.locks || !('BroadcastChannel' in globalThis)) {
    openStream(hear);
    return;
  }
  const channel = new BroadcastChannel('tocsin-live');
  channel.addEventListener('message', ({ data }) => hear(data as Message));
  void navigator.locks.request('tocsin-live', () => {
    openStream((message) => {
      channel.postMessage(message);
      hear(message);
    });
    // Held until this tab goes; then another one takes over.
    return new Promise(() => {});
  });
}

const COME_BACK_AFTER_MS = 60_000;

function openStream(tell: (message: Message) => void): void {
  const stream = new EventSource('/live');
  stream.addEventListener('open', () => tell('open'));
  stream.addEventListener('changed', () => tell('changed'));
  stream.addEventListener('error', () => {
    tell('lost');
    // The browser comes back by itself unless it was turned away.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => openStream(tell), COME_BACK_AFTER_MS);
  });
}
