// Why an act on many units does not reach one of them, beside what any act on it would be refused for.
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { type ActRefusal, sayRefused } from './act-words.ts';

const REFUSALS = {
  most_reached: message('It has as many of them as there can be: end one first.'),
  not_muted: message('It is not muted.'),
  same_group: message('It notifies this group already.'),
  group_elsewhere: message('This group is of another organization.'),
  no_fitting_channel: message('None of its channels fits these limits.'),
  same_limits: message('It has these limits already.'),
  changed_meanwhile: message('Somebody has changed it meanwhile.'),
  not_done: message('Something went wrong. Nothing was changed here.'),
} as const;

export type ManyRefusal = ActRefusal | keyof typeof REFUSALS;

const isOwn = (refusal: ManyRefusal): refusal is keyof typeof REFUSALS => Object.hasOwn(REFUSALS, refusal);

export const sayManyRefusal = (refusal: ManyRefusal, language: Language): string =>
  isOwn(refusal) ? language.say(REFUSALS[refusal]) : sayRefused(refusal, language).text;
