// Where the post of a drawn lab arrives: a real mail server, and one receiver for webhooks and every other way to a person.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { onTestFinished } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import type { Recipient } from '../../src/domain/on-call/recipient.ts';
import { createDeliverer, type Deliverer } from '../../src/engine/delivery/deliverer.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { countSent } from '../../src/engine/outbox/receipts.ts';
import type { ProviderSettings } from '../../src/engine/providers/providers.ts';
import { readProviderSettings } from '../../src/engine/providers/read-provider-settings.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { createMethodTransport } from '../../src/engine/transports/method/method.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { readConfig } from '../../src/platform/config.ts';
import { settled } from './settled-delivery.ts';
import { openSmtpReceiver, type SmtpReceiver } from './smtp-receiver.ts';
import type { TestServer } from './test-server.ts';
import { answers, type ReceivedWebhook, startWebhookReceiver } from './webhook-receiver.ts';

export interface ForetoldPost {
  deliverer: Deliverer;
  /** Of whoever is told otherwise than by mail. */
  url: string;
  /** What has come since the last time, each as one line. */
  takeIn(): string[];
}

/** As every maker answers when all is well. */
const THANKS = JSON.stringify({ sid: 'x' });
const PUBLIC_URL = 'https://tocsin.lab.example';

/** For one test. */
export async function openForetoldPost({ db, clock, signer }: TestServer): Promise<ForetoldPost> {
  const smtp = await openSmtpReceiver();
  const receiver = await startWebhookReceiver(answers(200, THANKS));
  const read = readProviderSettings('sms: { gateway: twilio, user: AC1, password: s, from: "+4930" }');
  if (typeof read === 'string' || !read.sms) throw new Error('no SMS');
  const providers: ProviderSettings = { ...read, sms: { ...read.sms, url: `${receiver.url}/Messages.json` } };
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: smtp.url })), db });
  onTestFinished(() => mailer.close());
  const deliverer = createDeliverer({
    db,
    clock: clock.read,
    log: pino({ level: 'silent' }),
    transports: {
      email: createEmailTransport({ mailer }),
      webhook: createWebhookTransport({ publicUrl: () => PUBLIC_URL, allowPrivate: true }),
      method: createMethodTransport({
        settings: () => ({ providers, publicUrl: PUBLIC_URL, hooks: null }),
        allowPrivate: true,
        countSent: (id, since) => countSent(db, id, since),
      }),
    },
    publicUrl: () => PUBLIC_URL,
    signer,
    metrics: null,
  });
  return {
    deliverer,
    url: receiver.url,
    takeIn: () => [...takeMails(smtp), ...receiver.received.splice(0).map(namePost)],
  };
}

const takeMails = ({ mails }: SmtpReceiver): string[] =>
  mails.splice(0).flatMap(({ to_ }) => to_.map((address) => `mail to ${address}`));

function namePost({ path, text, body }: ReceivedWebhook): string {
  const to = new URLSearchParams(text).get('To');
  if (path === '/Messages.json') return `SMS to ${to}`;
  if (path === '/Calls.json') return `call to ${to}`;
  return path === '/' ? `ntfy to ${(body as { topic: string }).topic}` : `post to ${path}`;
}

/** As the line of what arrives says it. */
export async function nameWays(
  { db }: TestServer,
  serviceId: ServiceId,
): Promise<(way: Recipient) => string> {
  const hooks = await db.query<{ id: string; url: string }>(sql`
    select webhook.id::text, url from notification_group_webhook webhook
    join service_settings on notification_group_id = group_id where service_id = ${serviceId}`);
  const methods = await db.query<{ id: string; kind: 'sms' | 'voice' | 'ntfy'; address: string }>(sql`
    select contact_method.id::text, kind, address from contact_method join membership using (account_id)
    join service on service.organization_id = membership.organization_id where service.id = ${serviceId}`);
  return ({ transport, recipient }) => {
    if (transport === 'email') return `mail to ${recipient}`;
    if (transport === 'webhook')
      return `post to ${new URL(hooks.find(({ id }) => id === recipient)?.url ?? '').pathname}`;
    const { kind, address } = methods.find(({ id }) => id === recipient) ?? {};
    if (kind === 'ntfy') return `ntfy to ${address?.split('/').at(-1)}`;
    return `${kind === 'voice' ? 'call' : 'SMS'} to ${address}`;
  };
}
