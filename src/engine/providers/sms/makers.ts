// All makers of SMS that are known, in the order in which refusals name them.
import { elks } from '../46elks/maker.ts';
import { messagebird } from '../messagebird/maker.ts';
import type { SmsGateway, SmsMaker } from '../record/sms-maker.ts';
import { sipgate } from '../sipgate/maker.ts';
import { twilio } from '../twilio/maker.ts';
import { vonage } from '../vonage/maker.ts';

export const SMS_MAKERS: readonly SmsMaker[] = [elks, sipgate, messagebird, vonage, twilio];

/** null: the operator wrote the request. */
export const findMaker = ({ gateway }: Pick<SmsGateway, 'gateway'>): SmsMaker | null =>
  SMS_MAKERS.find(({ name }) => name === gateway) ?? null;
