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

/** Turned away by a server that just goes, or by a proxy that has not noticed: soon again. Turned away for good: seldom. */
const PAUSE_MS = { first: 3_000, longest: 60_000 };
/** The server says something every 25 seconds. One that stands still breaks nothing off. */
const LOST_AFTER_MS = 60_000;

function openStream(tell: (message: Message) => void, pauseMs = PAUSE_MS.first): void {
  const stream = new EventSource('/live');
  let nextPauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest);
  let watching: ReturnType<typeof setTimeout>;
  const comeBack = () => {
    tell('lost');
    clearTimeout(watching);
    stream.close();
    setTimeout(() => openStream(tell, nextPauseMs), pauseMs);
  };
  const watch = () => {
    clearTimeout(watching);
    watching = setTimeout(comeBack, LOST_AFTER_MS);
  };
  watch();
  stream.addEventListener('open', () => {
    nextPauseMs = PAUSE_MS.first;
    watch();
    tell('open');
  });
  stream.addEventListener('changed', () => {
    watch();
    tell('changed');
  });
  stream.addEventListener('beat', watch);
  stream.addEventListener('error', () => {
    // The browser comes back by itself unless it was turned away.
    if (stream.readyState === EventSource.CLOSED) comeBack();
    else tell('lost');
  });
}
