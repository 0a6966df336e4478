// All makers of SMS that are known, in the order in which refusals name them; sentences of pages begin with the last.
import type { Language } from '../../../domain/language/speak.ts';
import { inOneSentence } from '../../../domain/list-names.ts';
import { elks } from '../46elks/maker.ts';
import { messagebird } from '../messagebird/maker.ts';
import type { SmsGateway, SmsMaker } from '../record/sms-maker.ts';
import { sipgate } from '../sipgate/maker.ts';
import { twilio } from '../twilio/maker.ts';
import { vonage } from '../vonage/maker.ts';

export const SMS_MAKERS: readonly SmsMaker[] = [elks, sipgate, messagebird, vonage, twilio];

/** In one sentence; by their names where settings are quoted. */
export const listMakers = (
  which: (maker: SmsMaker) => unknown,
  language: Language,
  as: 'label' | 'name' = 'label',
): string => {
  const names = SMS_MAKERS.filter(which).map((maker) => maker[as]);
  return inOneSentence(names.reverse(), language);
};

/** null: the operator wrote the request. */
export const findMaker = ({ gateway }: Pick<SmsGateway, 'gateway'>): SmsMaker | null =>
  SMS_MAKERS.find(({ name }) => name === gateway) ?? null;
