// Why something did not arrive. It is stored in English, and said in the language of whoever reads it.
import { english } from '../language/english.ts';
import { message, type WithFacts } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { readFacts } from './read-facts.ts';

/** The first that fits is what was meant. */
const FAILURES = {
  stopped: message('Tocsin was stopped before {host} had answered'),
  no_answer: message('{host} gave no answer within {seconds} s'),
  not_let_in: message('{host} did not let the message in'),
  not_known: message('{host} is a name that is not known ({code})'),
  not_looked_up: message('{host} is a name that could not be looked up ({code})'),
  takes_no_connections: message('{host} takes no connections ({code})'),
  broke_off: message('{host} broke the connection off ({code})'),
  certificate_too_old: message('{host} has a certificate that is out of date ({code})'),
  certificate_of_its_own: message('{host} has a certificate that it signed itself ({code})'),
  certificate_of_unknown: message('{host} has a certificate of an unknown authority ({code})'),
  certificate_of_another: message('{host} has a certificate for another name ({code})'),
  not_reached: message('{host} could not be reached ({code})'),
  gone: message('{host} answered 410: this webhook is gone for good'),
  takes_no_more: message('{host} takes no more messages for now (429)'),
  refused: message('{host} did not let the message in ({status})'),
  failed: message('{host} failed ({status})'),
  sends_on: message('{host} sends messages on to another address ({status}), and redirects are not followed'),
  no_such_webhook: message('{host} answered {status}, but not as a webhook of this kind does'),
  answered: message('{host} answered {status}'),
  private_address: message('{host} is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that'),
  forbidden_address: message('{host} is an address that webhooks never go to'),
  no_url: message('The address is not a URL'),
  partly: message('{arrived} of {all} events have arrived so far'),
  enough: message('{most} within 15 minutes are enough'),
  unset: message('{way} is not set up any more'),
  unknown_password: message('{host} asks for a kind of password that is not known here'),
  wrong_password: message('{host} does not take the password'),
  unwritten: message('It could not be written, see the log'),
  unchecked: message('It could not be checked, see the log'),
  unexpected: message('Unexpected error, see the log'),
  receiver_gone: message('Its receiver is gone for good'),
  answered_gone: message('The receiver answered 410: it is gone for good'),
  stop_came: message('STOP came from it'),
  provider_says: message('The provider says: {said}'),
  mail_no_key: message('This program has not the key to the settings of the mail server'),
  mail_no_address: message('This is no address a mail can be sent to'),
  mail_answered: message('The mail server answered: {said}'),
  mail_sign_in: message('The mail server refused the sign-in'),
  mail_unsafe: message('No safe connection to the mail server'),
  mail_no_name: message('The name of the mail server cannot be resolved'),
  mail_too_late: message('The mail server does not answer in time'),
  mail_broke_off: message('The mail server broke the connection off'),
  mail_not_reached: message('The mail server cannot be reached'),
  mail_no_smtp: message('The mail server does not speak SMTP as it should'),
  mail_not_handed_over: message('The mail could not be handed over'),
} as const;

type FailureName = keyof typeof FAILURES;

/** As it is stored. */
export const writeFailure = <Name extends FailureName>(
  name: Name,
  ...given: WithFacts<(typeof FAILURES)[Name]>
): string => english.say<(typeof FAILURES)[Name]>(FAILURES[name], ...given);

/** What others said follows: `hooks.example failed (503): try later`, `The mail server cannot be reached (ECONNREFUSED)`. */
export function sayFailure(stored: string, language: Language): string {
  if (language.tag === english.tag) return stored;
  const whole = sayExactly(stored, language);
  if (whole !== null) return whole;
  for (const border of [': ', ' (']) {
    for (let at = stored.lastIndexOf(border); at > 0; at = stored.lastIndexOf(border, at - 1)) {
      const said = sayExactly(stored.slice(0, at), language);
      if (said !== null) return said + stored.slice(at);
    }
  }
  return stored;
}

function sayExactly(stored: string, language: Language): string | null {
  for (const text of Object.values(FAILURES)) {
    const facts = readFacts(stored, text);
    if (facts && Object.entries(facts).every(isPlausible))
      return language.say(text as '{fact}', facts as { fact: string });
  }
  return null;
}

/** What others said may be anything, all else is one word. */
const isPlausible = ([name, fact]: [string, string]): boolean => name === 'said' || !fact.includes(' ');
