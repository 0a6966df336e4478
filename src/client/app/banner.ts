// Keeps true what the banner says of the service itself. Only administrators have one.

const EVERY_MS = 30_000;

export function watchBanner(): void {
  if (!document.getElementById('banner')) return;
  setInterval(ask, EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask());
}

/** What cannot be asked for stays: the page says by other means that the connection is lost. */
async function ask(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const answer = await fetch('/banner', { redirect: 'manual' }).catch(() => null);
  if (answer?.status !== 200) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('banner');
  const banner = document.getElementById('banner');
  if (!fresh || !banner || fresh.innerHTML === banner.innerHTML) return;
  // Read out when something new is wrong, not when it merely lasts.
  const isNews = fresh.dataset.names !== banner.dataset.names;
  if (isNews) banner.setAttribute('role', 'alert');
  else banner.removeAttribute('role');
  banner.dataset.names = fresh.dataset.names ?? '';
  banner.replaceChildren(...fresh.childNodes);
}
