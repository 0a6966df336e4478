// The page as an app: the worker behind it, and the subscription by which this browser is told.
import { pageLanguage } from './page-language.ts';

const keyOfServer = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="push-key"]')?.content ?? null;

const REMEMBERED = 'push-endpoint';

/** The browser may have given the subscription another address meanwhile: what is stored follows it with every page. */
export async function keepInstalled(): Promise<void> {
  if (keyOfServer() === null || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('/worker.js');
  offerPush();
  const subscription = await registration.pushManager?.getSubscription();
  const before = localStorage.getItem(REMEMBERED);
  if (!subscription || before === null) return;
  const fields = toFields(subscription);
  fields.set('before', before);
  const answer = await fetch('/profile/contacts/push/renew', { method: 'POST', body: fields });
  if (answer.ok) localStorage.setItem(REMEMBERED, subscription.endpoint);
}

function toFields(subscription: PushSubscription): URLSearchParams {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return new URLSearchParams({ endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' });
}

function offerPush(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-push]');
  if (!form || !('PushManager' in window)) return;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    subscribe(form).catch(() =>
      showFault(
        form,
        pageLanguage.say(
          'This browser did not allow it. Look into its settings for this site, then try again.',
        ),
      ),
    );
  });
}

async function subscribe(form: HTMLFormElement): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('not allowed');
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: keyOfServer(),
  });
  for (const [name, value] of toFields(subscription)) {
    const field = form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    if (field) field.value = value;
  }
  localStorage.setItem(REMEMBERED, subscription.endpoint);
  form.submit();
}

function showFault(form: HTMLFormElement, text: string): void {
  const notice = form.querySelector<HTMLElement>('[role="alert"]');
  if (!notice) return;
  notice.hidden = false;
  notice.textContent = text;
}
