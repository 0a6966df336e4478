// Asks the device to make or use a passkey, then sends the form with its answer.
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

const FAULTS: Record<string, string> = {
  NotAllowedError: 'The device was not unlocked, or it has no passkey for this site. Nothing was changed.',
  InvalidStateError: 'This device has a passkey of yours already.',
};

async function answer(form: HTMLFormElement): Promise<void> {
  const asked = await fetch(`${new URL(form.action).pathname}/options`, {
    method: 'POST',
    body: new URLSearchParams(
      [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]),
    ),
  });
  if (!asked.ok) throw new Error(await asked.text());
  const options = await asked.json();
  const given =
    form.dataset.passkey === 'make'
      ? await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
      : await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  const field = form.querySelector<HTMLInputElement>('input[name="answer"]');
  if (field) field.value = JSON.stringify(given);
  form.submit();
}

function say(form: HTMLFormElement, text: string | null): void {
  const notice = form.querySelector<HTMLElement>('[role="alert"]');
  if (!notice) return;
  notice.hidden = text === null;
  notice.textContent = text;
}

const describe = (fault: unknown): string => {
  const { name, message } = fault instanceof Error ? fault : new Error();
  const isPage = message.startsWith('<');
  return FAULTS[name] ?? (isPage || message === '' ? 'This did not work. Try again.' : message);
};

if (browserSupportsWebAuthn())
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      say(form, null);
      const button = form.querySelector('button');
      if (button) button.disabled = true;
      answer(form)
        .catch((fault: unknown) => say(form, describe(fault)))
        .finally(() => {
          if (button) button.disabled = false;
        });
    });
  }
