// A button that could not do its work says why, in a place that does not move the page.
import { pageLanguage } from './page-language.ts';

interface FailedRequest {
  xhr: XMLHttpRequest;
}

export function showFailures(): void {
  document.body.addEventListener('htmx:responseError', (event) => {
    const { xhr } = (event as CustomEvent<FailedRequest>).detail;
    if (xhr.status === 401) return leadToSignIn();
    showFailure(readDetail(xhr.responseText));
  });
  for (const lost of ['htmx:sendError', 'htmx:timeout'])
    document.body.addEventListener(lost, () =>
      showFailure(pageLanguage.say('The server cannot be reached. Nothing was changed.')),
    );
}

function readDetail(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // A fragment says it in its own words; a whole page does not fit here.
    const shown = new DOMParser().parseFromString(text, 'text/html').querySelector('.notice[role="alert"]');
    if (shown?.textContent) return shown.textContent;
  }
  return pageLanguage.say('That did not work. Reload the page and try again.');
}

/** Read out at once; stays until it is closed, for it may come while nobody looks. */
function showFailure(text: string): void {
  document.querySelector('.toast')?.remove();
  const toast = document.createElement('div');
  toast.className = 'toast';
  toast.setAttribute('role', 'alert');
  const message = document.createElement('p');
  message.textContent = text;
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = pageLanguage.say('Close');
  close.addEventListener('click', () => toast.remove());
  toast.append(message, close);
  document.body.append(toast);
}

/** So long a page that is being left is not led elsewhere. What is downloaded begins alike, and leaves nothing. */
const LEAVING_MS = 10_000;
let leavingAt = Number.NEGATIVE_INFINITY;
addEventListener('beforeunload', () => {
  leavingAt = performance.now();
});

/** The session is over: after signing in, the same page comes back. Not while somebody signs out. */
export function leadToSignIn(): void {
  if (performance.now() - leavingAt < LEAVING_MS) return;
  const next = location.pathname + location.search;
  location.assign(`/login?${new URLSearchParams({ next })}`);
}
