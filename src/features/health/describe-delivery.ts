// How messages leave, as far as everybody who is signed in may know. Somebody may want it so: nothing is broken by a warning.
import { english } from '../../domain/language/english.ts';
import { findAddressTrouble } from '../../domain/public-address.ts';
import type { InForce } from '../../engine/delivery-settings/in-force.ts';

export interface DeliveryHealth {
  mail: InForce['mail']['kind'];
  links_begin_with: string;
  warnings: string[];
}

export function describeDelivery({ mail }: Pick<InForce, 'mail'>, linkBase: string): DeliveryHealth {
  const trouble = findAddressTrouble(linkBase, english);
  const advice = 'Set the public address: on the page Delivery, or by TOCSIN_PUBLIC_URL';
  return {
    mail: mail.kind,
    links_begin_with: linkBase,
    warnings: trouble === null ? [] : [`${trouble}. ${advice}`],
  };
}
