// Where Twilio is asked for what, beside the address for messages that is set up.
import { findBeside } from '../record/sms-maker.ts';

export const findAccount = (messages: string): URL | null =>
  findBeside(messages, /\/Messages\.json$/, '.json');

export const callsBeside = (messages: string): URL =>
  new URL(messages.replace(/Messages\.json$/, 'Calls.json'));

export const oneOf = (messages: string, id: string): URL =>
  new URL(messages.replace(/\.json$/, `/${encodeURIComponent(id)}.json`));
