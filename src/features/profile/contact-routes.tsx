import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import type { ContactMethodId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayMost } from '../../domain/mosts.ts';
import { METHOD_KINDS } from '../../domain/on-call/contact-method.ts';
import { sayFailure } from '../../domain/words/failure-words.ts';
import { sayWhomToAsk } from '../../domain/words/say-whom-to-ask.ts';
import { moveSubscription, type OwnMethod, selectMethods } from '../../engine/accounts/contact-methods.ts';
import { selectKeeperNames } from '../../engine/accounts/keepers.ts';
import { selectOwnPin } from '../../engine/accounts/phone-pins.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readPageId, routePage } from '../../engine/pages/page-routes.ts';
import {
  isOffered,
  kindOf,
  languageBy,
  nameMethod,
  type ProviderSettings,
} from '../../engine/providers/providers.ts';
import { readSubscription } from '../../engine/providers/push/write-push.ts';
import { sayCode } from '../../engine/providers/record/message.ts';
import { tellPerson } from '../../engine/transports/method/method.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { askBeforeRemoving, foreseeWithout } from './ask-profile.ts';
import type { ProfileFault } from './change-profile.ts';
import {
  addMethod,
  addSubscription,
  type CodeToSend,
  changeMethod,
  type MethodRefusal,
  proveMethod,
  removeMethod,
  sendCodeAgain,
} from './contact-methods.ts';
import { ContactsPage, type ContactsProps, type ShownMethod } from './contacts-view.tsx';
import { findDone, type OwnVisit, type ProfilePageDeps } from './own-visit.ts';
import { CONTACTS, sayMissingPin } from './phone-pin-card.tsx';
import { routePhonePin } from './phone-pin-routes.ts';

const FAULTS: Record<Exclude<MethodRefusal, 'no_such_method'>, ProfileFault> = {
  no_such_kind: ['', message('That is not offered here.')],
  not_an_address: ['address', message('This is not what is asked for. Look at the example below the field.')],
  no_secret: ['secret', message('A token of printable characters is needed.')],
  not_minutes: ['after_minutes', message('Write minutes from 0 to 1440, and choose when.')],
  // For translators: a number, an address or a device that somebody wants to be told by
  known_already: ['address', message('You have this one already.')],
  too_many: ['', (language) => sayMost('contactMethods', language)],
  too_many_codes: [
    '',
    message('Five codes were sent within an hour. Wait a while before you ask for another.'),
  ],
  wrong_code: ['code', message('This is not the code that was sent. After five wrong ones it is void.')],
  code_is_over: [
    'code',
    message('The code is void: it is good for 15 minutes and five attempts. Send another one.'),
  ],
};

const DONE: Record<string, Sayable> = {
  // For translators: a number, an address or a device by which somebody is told of alarms
  added: message('Added: from now on you are notified by it.'),
  code: message('The code was handed over. When it has arrived, type it in below.'),
  // For translators: a number, an address or a device by which somebody is told of alarms
  proved: message('Confirmed: from now on you are notified by it.'),
  changed: message('Saved.'),
  removed: message('Removed.'),
  pin: message('Your PIN is set. It counts from now on.'),
  'pin-removed': message('Your PIN is removed.'),
};

export interface ContactPageDeps extends ProfilePageDeps {
  /** As they are in force. */
  providers: () => ProviderSettings;
  allowPrivate: boolean;
}

export function routeContacts(app: HttpServer, deps: ContactPageDeps): void {
  const { db, providers } = deps;

  const show = async (visit: OwnVisit, said: ProfileFault | null = null) => {
    const { reply, visitor, params, query, form } = visit;
    const { language } = visitor;
    const { secret: _, ...typed } = form;
    const inForce = providers();
    const methods = await selectMethods(db, visitor.accountId);
    const pin = await selectOwnPin(db, visitor.accountId);
    const hasUse = inForce.sms !== null || pin.hasPin || pin.askedBy.length > 0;
    const fault = said && {
      methodId: readPageId(params.method_id),
      field: said[0],
      text: sayOne(said[1], language),
    };
    return answerPage(
      reply,
      fault === null ? 200 : 422,
      <ContactsPage
        visitor={visitor}
        methods={methods.map((method) => showMethod(method, language))}
        offersPush={inForce.push !== null}
        offered={offerKinds(inForce, visitor.email, language).filter(
          ({ kind }) => kind !== 'email' || !methods.some((one) => one.kind === 'email'),
        )}
        missing={{
          labels: listMissing(inForce, language),
          whom: sayWhomToAsk(await selectKeeperNames(db, organizationIdsOf(visitor)), language),
          isKeeper: visitor.isKeeper,
        }}
        pin={hasUse ? { ...pin, email: visitor.email, fault } : null}
        missingPin={sayMissingPin(pin, language)}
        typed={typed}
        done={fault === null ? findDone(DONE, query, language) : null}
        fault={fault}
      />,
    );
  };

  const refuse = (visit: OwnVisit, refusal: MethodRefusal) =>
    refusal === 'no_such_method' ? answerErrorPage(visit.reply, 404) : show(visit, FAULTS[refusal]);

  /** Sent at once: somebody waits for it. */
  const send = async (visit: OwnVisit, { id, code, ...recipient }: CodeToSend) => {
    const { name, language } = visit.visitor;
    const message = sayCode(`code-${id}-${code}`, code, name, languageBy(recipient.kind, language));
    const settings = {
      providers: providers(),
      allowPrivate: deps.allowPrivate,
      publicUrl: deps.publicUrl()?.origin ?? '',
    };
    const outcome = await tellPerson(
      settings,
      message,
      recipient,
      visit.visitor.now,
      new AbortController().signal,
    );
    return outcome.isSent
      ? visit.reply.redirect(`${CONTACTS}?done=code`, 303)
      : show({ ...visit, form: {} }, [
          '',
          (own) => own.say('The code could not be sent: {error}.', { error: sayFailure(outcome.error, own) }),
        ]);
  };

  routePhonePin(app, deps, show);
  routePage(app, deps, { method: 'GET', url: CONTACTS, show: (visit) => show(visit) });

  routePage(app, deps, {
    method: 'POST',
    url: `${CONTACTS}/add`,
    show: async (visit) => {
      const { visitor, form } = visit;
      const added = await db.transaction((tx) =>
        addMethod(tx, visitor, { form, providers: providers() }, visitor.now),
      );
      if (!added.ok) return refuse(visit, added.refusal);
      return added.value ? send(visit, added.value) : visit.reply.redirect(`${CONTACTS}?done=added`, 303);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${CONTACTS}/push`,
    show: async (visit) => {
      const { visitor, form, reply } = visit;
      const subscription = providers().push && readSubscription(form);
      if (!subscription)
        return show({ ...visit, form: {} }, ['', message('This browser did not say how it is reached.')]);
      const added = await db.transaction((tx) => addSubscription(tx, visitor, { subscription }, visitor.now));
      if (!added.ok) return refuse({ ...visit, form: {} }, added.refusal);
      return reply.redirect(`${CONTACTS}?done=added`, 303);
    },
  });
  routePage(app, deps, {
    method: 'POST',
    url: `${CONTACTS}/push/renew`,
    show: async ({ visitor, form, reply }) => {
      const subscription = providers().push && readSubscription(form);
      if (!subscription) return answerErrorPage(reply, 404);
      const { endpoint: address, p256dh, auth } = subscription;
      const moved = { before: form.before ?? '', address, secret: JSON.stringify({ p256dh, auth }) };
      const isOwn = await db.transaction((tx) => moveSubscription(tx, visitor.accountId, moved));
      return isOwn ? reply.code(204).send() : answerErrorPage(reply, 404);
    },
  });

  routeEach(app, deps, 'code', async (visit, id) => {
    const { visitor } = visit;
    const made = await db.transaction((tx) => sendCodeAgain(tx, visitor, { id }, visitor.now));
    return made.ok ? send(visit, made.value) : refuse(visit, made.refusal);
  });
  routeEach(app, deps, 'prove', async (visit, id) => {
    const { visitor, form, reply } = visit;
    const given = { id, code: form.code ?? '' };
    const proved = await db.transaction((tx) => proveMethod(tx, visitor, given, visitor.now));
    return proved.ok ? reply.redirect(`${CONTACTS}?done=proved`, 303) : refuse(visit, proved.refusal);
  });
  routeEach(app, deps, 'change', async (visit, id) => {
    const { visitor, form, reply } = visit;
    const changed = await db.transaction((tx) => changeMethod(tx, visitor, { id, form }, visitor.now));
    return changed.ok ? reply.redirect(`${CONTACTS}?done=changed`, 303) : refuse(visit, changed.refusal);
  });
  routeEach(app, deps, 'remove', async (visit, id) => {
    const { visitor, reply, form } = visit;
    const losses = form.sure === 'yes' ? [] : await foreseeWithout(db, visit, id);
    if (losses.length > 0) return askBeforeRemoving(db, visit, losses);
    const removed = await db.transaction((tx) => removeMethod(tx, visitor, { id }, visitor.now));
    return removed.ok ? reply.redirect(`${CONTACTS}?done=removed`, 303) : refuse(visit, removed.refusal);
  });
}

type Shown = Promise<OwnVisit['reply']> | OwnVisit['reply'];

const routeEach = (
  app: HttpServer,
  deps: ContactPageDeps,
  verb: string,
  act: (visit: OwnVisit, id: ContactMethodId) => Shown,
): void =>
  routePage(app, deps, {
    method: 'POST',
    url: `${CONTACTS}/:method_id/${verb}`,
    show: (visit) => {
      const id = readPageId<ContactMethodId>(visit.params.method_id);
      return id === null ? answerErrorPage(visit.reply, 404) : act(visit, id);
    },
  });

const offerKinds = (
  providers: ProviderSettings,
  email: string,
  language: Language,
): ContactsProps['offered'] =>
  METHOD_KINDS.flatMap((kind): ContactsProps['offered'] => {
    if (kind === 'email')
      return [
        {
          kind,
          label: nameMethod(kind, language),
          addressLabel: null,
          hint: language.say('To {email}.', { email }),
          secretLabel: null,
        },
      ];
    const { label, addressLabel, hint, secretLabel, isOfBrowser } = kindOf(kind);
    return isOfBrowser || !isOffered(kind, providers)
      ? []
      : [
          {
            kind,
            label: sayOne(label, language),
            addressLabel: sayOne(addressLabel, language),
            hint: sayOne(hint, language),
            secretLabel: secretLabel && sayOne(secretLabel, language),
          },
        ];
  });

/** Ways that nobody can add here, because nobody has set up what they need. */
const listMissing = (providers: ProviderSettings, language: Language): string[] =>
  METHOD_KINDS.flatMap((kind) =>
    kind === 'email' || isOffered(kind, providers) ? [] : [nameMethod(kind, language)],
  );

const showMethod = (method: OwnMethod, language: Language): ShownMethod => {
  const { say } = language;
  const { id, kind, address, verifiedAt, disabledReason, isClosed } = method;
  const { afterMinutes, onlyCritical, during } = method;
  const state = disabledReason !== null ? 'off' : verifiedAt ? 'in_use' : 'waits';
  return {
    id,
    label: nameMethod(kind, language),
    address: (kind !== 'email' && kindOf(kind).showAddress?.(address, language)) || address,
    state,
    why: disabledReason
      ? say('{reason}. A new code puts it to use again.', { reason: sayFailure(disabledReason, language) })
      : isClosed
        ? say(
            'Five wrong codes or PINs came from it: you are notified by it, but answers from it are not taken. A new code opens it again.',
          )
        : null,
    afterMinutes,
    onlyCritical,
    during,
    takesCode: kind !== 'email' && (state !== 'in_use' || isClosed),
  };
};
