import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { isAdministrator, Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { kindsOf, SET_PROVIDERS } from '../../engine/providers/providers.ts';
import { Notice } from '../../platform/html/notice.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { KeepersCard } from './keepers-card.tsx';
import { MailFromForm, MailServerForm, PublicUrlForm } from './mail-forms.tsx';
import type { DeliveryModel } from './page-model.ts';
import { ProviderForm } from './provider-form.tsx';
import { DELIVERY, formStateOf, SettingCard, type SettingFault } from './setting-card.tsx';
import { CustomSmsForm, SmsForm } from './sms-forms.tsx';
import type { Tried } from './try-setting.ts';

interface DeliveryProps extends DeliveryModel {
  visitor: Visitor;
  done: string | null;
  fault: SettingFault | null;
  tried: Tried | null;
}

const NOW = 'Send me one now';

export const DeliveryPage = (props: DeliveryProps) => {
  const { visitor, settings, fault, tried, done, addressTrouble } = props;
  const card = (id: keyof typeof settings) => ({
    id,
    model: settings[id],
    fault: fault?.form === id || (id === 'sms' && fault?.form === 'custom') ? fault : null,
    tried,
  });
  const form = (id: keyof typeof settings) => formStateOf(id, settings[id], fault);
  const isCustom = settings.sms.typed.gateway === 'custom' || fault?.form === 'custom';
  const smsTries: [MethodKind, string][] = [
    ['sms', NOW],
    ...(props.offersCalls ? [['voice', 'Call me now'] as [MethodKind, string]] : []),
  ];
  return (
    <Page title="Delivery" visitor={visitor} current={DELIVERY}>
      {isAdministrator(visitor) && <UpLink path="/settings" label="Settings" />}
      <h1>Delivery</h1>
      {done !== null && <Notice kind="done">{done}</Notice>}
      {fault !== null && <Notice kind="error">{fault.text}</Notice>}
      <p>
        How messages leave this Tocsin, for all its organizations. You see this page because you are a keeper.
        What is saved counts at once; secrets are kept encrypted and are not shown again.
      </p>
      {addressTrouble !== null && (
        <p class="notice notice-error">{addressTrouble}. Set the public address below.</p>
      )}
      <div class="cards">
        <SettingCard
          {...card('public_url')}
          title="Public address"
          about="What links in mails, on stickers and in invitations begin with."
        >
          <PublicUrlForm {...form('public_url')} />
        </SettingCard>
        <SettingCard
          {...card('mail_server')}
          title="Mail server"
          about="Without one no mail leaves: it is kept in the database, where administrators read it."
          tries={[['email', NOW]]}
        >
          <MailServerForm {...form('mail_server')} />
        </SettingCard>
        <SettingCard {...card('mail_from')} title="Sender" about="Whom mails are from.">
          <MailFromForm {...form('mail_from')} />
        </SettingCard>
        <SettingCard {...card('sms')} title="SMS and calls" about="Calls go by Twilio only." tries={smsTries}>
          {isCustom ? null : <SmsForm {...form('sms')} />}
          <details open={isCustom}>
            <summary>Another gateway</summary>
            <CustomSmsForm {...formStateOf('custom', settings.sms, fault)} />
          </details>
          {isCustom && (
            <details>
              <summary>A provider that is known here</summary>
              <SmsForm {...formStateOf('sms', { ...settings.sms, typed: {}, secrets: [] }, fault)} />
            </details>
          )}
        </SettingCard>
        {SET_PROVIDERS.map(
          ({ name, label, form: asked }) =>
            asked && (
              <SettingCard
                {...card(name)}
                key={name}
                title={label}
                about={asked.about}
                tries={kindsOf(name).map((kind) => [kind, NOW])}
              >
                <ProviderForm name={name} fields={asked.fields} state={form(name)} />
              </SettingCard>
            ),
        )}
        <PushCard push={props.push} tried={tried} />
        <KeepersCard keepers={props.keepers} fault={fault?.form === 'keepers' ? fault : null} />
      </div>
    </Page>
  );
};

const PushCard = ({ push, tried }: Pick<DeliveryModel, 'push'> & { tried: Tried | null }) => (
  <section class="card" id="push" aria-label="Push to browsers">
    <h2>Push to browsers</h2>
    <p class="muted">Browsers show alarms also while Tocsin is closed. Nothing has to be set for it.</p>
    {push === null ? (
      <p>Off: it needs a public address that begins with https://.</p>
    ) : (
      <>
        <p>
          On, as <strong>{push.subject}</strong>.
        </p>
        <div class="actions">
          <form method="post" action={`${DELIVERY}/try/push`}>
            <button type="submit">{NOW}</button>
          </form>
        </div>
      </>
    )}
    {tried?.kind === 'push' && (
      <p class={`notice notice-${tried.isSent ? 'done' : 'error'}`} role={tried.isSent ? 'status' : 'alert'}>
        {tried.summary}
        {tried.answer !== null && ` Answered: ${tried.answer}`}
      </p>
    )}
  </section>
);
