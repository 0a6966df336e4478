import { sayOne } from '../../domain/language/sayable.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { isAdministrator, Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { kindsOf, SET_PROVIDERS } from '../../engine/providers/providers.ts';
import { listMakers } from '../../engine/providers/sms/makers.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { KeepersCard } from './keepers-card.tsx';
import { MailFromForm, MailServerForm, PublicUrlForm } from './mail-forms.tsx';
import type { DeliveryModel } from './page-model.ts';
import { ProviderForm } from './provider-form.tsx';
import { DELIVERY, formStateOf, SettingCard, type SettingFault } from './setting-card.tsx';
import { CustomSmsForm, SmsForm } from './sms-forms.tsx';
import type { Tried } from './try-setting.tsx';

interface DeliveryProps extends DeliveryModel {
  visitor: Visitor;
  done: string | null;
  fault: SettingFault | null;
  tried: Tried | null;
}

export const DeliveryPage = (props: DeliveryProps) => {
  const language = useLanguage();
  const { say } = language;
  const now = say('Send me one now');
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
    ['sms', now],
    ...(props.offersCalls ? [['voice', say('Call me now')] as [MethodKind, string]] : []),
  ];
  return (
    <Page title={say('Delivery')} visitor={visitor} current={DELIVERY}>
      {isAdministrator(visitor) && <UpLink path="/settings" label={say('Settings')} />}
      <h1>{say('Delivery')}</h1>
      {done !== null && <Notice kind="done">{done}</Notice>}
      {fault !== null && <Notice kind="error">{fault.text}</Notice>}
      <p>
        {say(
          'How messages leave this Tocsin, for all its organizations. You see this page because you are a keeper. What is saved counts at once; secrets are kept encrypted and are not shown again.',
        )}
      </p>
      {addressTrouble !== null && (
        <p class="notice notice-error">
          {say('{trouble}. Set the public address below.', { trouble: addressTrouble })}
        </p>
      )}
      <div class="cards">
        <SettingCard
          {...card('public_url')}
          title={say('Public address')}
          about={say('What links in mails, on stickers and in invitations begin with.')}
        >
          <PublicUrlForm {...form('public_url')} />
        </SettingCard>
        <SettingCard
          {...card('mail_server')}
          title={say('Mail server')}
          about={say('Without one no mail leaves: it is kept in the database, where administrators read it.')}
          tries={[['email', now]]}
        >
          <MailServerForm {...form('mail_server')} />
        </SettingCard>
        <SettingCard {...card('mail_from')} title={say('Sender')} about={say('Whom mails are from.')}>
          <MailFromForm {...form('mail_from')} />
        </SettingCard>
        <SettingCard
          {...card('sms')}
          title={say('SMS and calls')}
          about={say('Calls go by {makers} only.', {
            makers: listMakers(({ calls }) => calls, language),
          })}
          tries={smsTries}
        >
          {isCustom ? null : <SmsForm {...form('sms')} />}
          <details open={isCustom}>
            <summary>{say('Another gateway')}</summary>
            <CustomSmsForm {...formStateOf('custom', settings.sms, fault)} />
          </details>
          {isCustom && (
            <details>
              <summary>{say('A provider that is known here')}</summary>
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
                title={sayOne(label, language)}
                about={sayOne(asked.about, language)}
                tries={kindsOf(name).map((kind) => [kind, now])}
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

const PushCard = ({ push, tried }: Pick<DeliveryModel, 'push'> & { tried: Tried | null }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card" id="push" aria-label={say('Push to browsers')}>
      <h2>{say('Push to browsers')}</h2>
      <p class="muted">
        {say('Browsers show alarms also while Tocsin is closed. Nothing has to be set for it.')}
      </p>
      {push === null ? (
        <p>{say('Off: it needs a public address that begins with https://.')}</p>
      ) : (
        <>
          <p>{sayWith(language, 'On, as {address}.', { address: <strong>{push.subject}</strong> })}</p>
          <div class="actions">
            <form method="post" action={`${DELIVERY}/try/push`}>
              <button type="submit">{say('Send me one now')}</button>
            </form>
          </div>
        </>
      )}
      {tried?.kind === 'push' && (
        <p
          class={`notice notice-${tried.isSent ? 'done' : 'error'}`}
          role={tried.isSent ? 'status' : 'alert'}
        >
          {tried.summary}
          {tried.answer !== null && ` ${say('Answered: {answer}', { answer: tried.answer })}`}
        </p>
      )}
    </section>
  );
};
