import type { OutboundRequest } from '../../../platform/outbound/request-outbound.ts';
import { hookPathOf, type SmsGateway } from '../record/sms-maker.ts';
import { findMaker } from './makers.ts';

export function writeSms(
  gateway: SmsGateway,
  given: { id: string; to: string; text: string },
  hooks: string | null = null,
): OutboundRequest {
  const { method, headers, encode, from } = gateway;
  const values: Record<string, string> = { ...given, from, digits: given.to.replace('+', '') };
  const fill = (text: string, write = (value: string) => value) =>
    text.replaceAll(/\{(to|digits|from|text|id)\}/g, (_, name: string) => write(values[name] ?? ''));
  const fillAll = (part: unknown): unknown => {
    if (typeof part === 'string') return fill(part);
    if (Array.isArray(part)) return part.map(fillAll);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fillAll(value)]));
  };
  const status = hooks !== null && gateway.statusField !== null && findStatusHook(gateway, hooks);
  const body = {
    ...(fillAll(gateway.body) as Record<string, unknown>),
    ...(status && { [gateway.statusField as string]: status }),
  };
  const isForm = encode === 'form';
  const text = isForm
    ? new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
    : JSON.stringify(body);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    method,
    url: new URL(fill(gateway.url, encodeURIComponent)),
    headers: { 'content-type': type, accept: 'application/json', ...headers },
    body: method === 'GET' ? '' : text,
  };
}

/** Where its maker reports; null: it could not prove who it is. */
function findStatusHook(gateway: SmsGateway, hooks: string): string | null {
  const maker = findMaker(gateway);
  if (gateway.hookSecret === null || !maker) return null;
  return `${hooks}${hookPathOf(maker, encodeURIComponent(gateway.hookSecret))}/status`;
}
