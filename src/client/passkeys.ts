// Asks the device to make or use a passkey, then sends the form with its answer.
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { message } from '../domain/language/message.ts';
import { pageLanguage } from './app/page-language.ts';

const FAULTS = {
  NotAllowedError: message(
    'The device was not unlocked, or it has no passkey for this site. Nothing was changed.',
  ),
  InvalidStateError: message('This device has a passkey of yours already.'),
} as const;

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

function show(form: HTMLFormElement, text: string | null): void {
  const notice = form.querySelector<HTMLElement>('[role="alert"]');
  if (!notice) return;
  notice.hidden = text === null;
  notice.textContent = text;
}

function describe(fault: unknown): string {
  const { name, message: text } = fault instanceof Error ? fault : new Error();
  if (Object.hasOwn(FAULTS, name)) return pageLanguage.say(FAULTS[name as keyof typeof FAULTS]);
  const isPage = text.startsWith('<');
  return isPage || text === '' ? pageLanguage.say('This did not work. Try again.') : text;
}

if (browserSupportsWebAuthn())
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      show(form, null);
      const button = form.querySelector('button');
      if (button) button.disabled = true;
      answer(form)
        .catch((fault: unknown) => show(form, describe(fault)))
        .finally(() => {
          if (button) button.disabled = false;
        });
    });
  }
