import { underAddress } from '../../../platform/outbound/under-address.ts';

export interface TelegramSettings {
  url: string;
  token: string;
}

export const atBot = ({ url, token }: TelegramSettings, verb: string): URL =>
  underAddress(url, `/bot${token}/${verb}`);
