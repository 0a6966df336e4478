// A page as the answer to a request; also where it cannot be shown: what happened, and what to do.

import type { FastifyReply } from 'fastify';
import { h, type VNode } from 'preact';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayMost } from '../../domain/mosts.ts';
import type { Finding } from '../../domain/self-watch.ts';
import { sendRendered } from '../../platform/html/in-pieces.tsx';
import { PushKey, renderLongPage } from '../../platform/html/layout.tsx';
import type { AnswerErrorPage } from '../../platform/http/errors.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { languageOf } from '../requests/language-of.ts';
import { Findings } from './banner.tsx';
import { ErrorPage, isAdministrator } from './page.tsx';
import { visitorOf } from './visitor.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What is wrong with the service itself. */
    findings: () => readonly Finding[];
    /** By which browsers subscribe to messages; null: they cannot. */
    pushKey: () => string | null;
  }
}

/** Before any page is answered. */
export const showFindings = (app: HttpServer, findings: () => readonly Finding[]): void =>
  void app.decorate('findings', findings);

/** Before any page is answered: where it is said, pages can be installed. */
export const offerInstalling = (app: HttpServer, pushKey: () => string | null): void =>
  void app.decorate('pushKey', pushKey);

/** Pages show what only their visitor may see. */
export const answerPage = <Props>(
  reply: FastifyReply,
  status: number,
  page: VNode<Props>,
  language: Language = languageOf(reply.request),
): FastifyReply =>
  sendRendered(
    reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8'),
    renderLongPage(
      h(PushKey.Provider, {
        value: reply.server.pushKey(),
        children: h(Findings.Provider, { value: findingsFor(reply), children: page }),
      }),
      language,
    ),
  );

const findingsFor = ({ request: { signedIn }, server }: FastifyReply) =>
  signedIn && isAdministrator(signedIn) ? server.findings() : null;

interface ErrorWords {
  title: string;
  text: string;
}

const WRONG = message('Something went wrong');
const UNREAD = message('This could not be read');

const PAGES = {
  400: { title: UNREAD, text: message('The request was damaged on its way. Go back and try again.') },
  403: {
    title: message('This was sent by another site'),
    text: message('Nothing was changed. If it was you, open the page here and send its form again.'),
  },
  404: {
    title: message('Page not found'),
    text: message('There is nothing at this address, or it is not yours to see.'),
  },
  405: {
    title: message('This address is not a page'),
    text: message('It is where a form is sent to. Go back and use its button.'),
  },
  413: {
    title: message('This is too much'),
    text: message('What was sent is too large. Nothing was changed.'),
  },
  414: {
    title: message('This address is too long'),
    text: message('Check that the link is complete and nothing was added to it.'),
  },
  415: {
    title: UNREAD,
    text: message('The form was sent in a way that is not understood. Nothing was changed.'),
  },
  422: {
    title: UNREAD,
    text: message('The form contains characters that cannot be stored. Nothing was changed.'),
  },
  429: {
    title: message('Too many at once'),
    text: message('Many passwords are being checked at this moment. Wait a few seconds, then do the same.'),
  },
  500: {
    title: WRONG,
    text: message('That is our fault, and it is in the log. Wait a moment and try again.'),
  },
  503: {
    title: message('Not available at the moment'),
    text: message(
      'The database does not answer as it should. It is tried again all the time: wait a moment, then do the same.',
    ),
  },
} as const satisfies Record<number, ErrorWords>;

/** A page that only shows something comes back by itself. */
const REFRESH_SECONDS = 10;
/** Not so soon where it is the page itself that asks for too much. */
const REFRESH_SLOWLY_SECONDS = 60;

const REASONS = {
  saved_or_not: {
    title: message('This may be saved, or not'),
    text: message(
      'The connection to the database was lost at the last moment. Look whether the change is there before you repeat it.',
    ),
  },
  took_too_long: {
    title: message('This took too long'),
    text: message(
      'The database had not finished after a few seconds and was told to stop, so that nobody else is kept waiting. Ask for less at a time, such as fewer days or a narrower search, or try again in a minute.',
    ),
  },
  pictures_busy: {
    title: message('Pictures are being worked on'),
    text: message(
      'Another picture of your organization, or many of others, are worked on at this moment. Wait a few seconds, then send it again.',
    ),
  },
} as const satisfies Record<string, ErrorWords>;

function sayFault(status: number, why: Parameters<AnswerErrorPage>[2], language: Language): ErrorWords {
  const { say } = language;
  if (typeof why === 'object')
    return {
      title: say('There are too many of them'),
      text: say('{fault} Nothing was changed.', { fault: sayMost(why.most, language) }),
    };
  if (why) return { title: say(REASONS[why].title), text: say(REASONS[why].text) };
  if (status in PAGES) {
    const { title, text } = PAGES[status as keyof typeof PAGES];
    return { title: say(title), text: say(text) };
  }
  return { title: say(WRONG), text: say('Wait a moment and try again.') };
}

export const answerErrorPage: AnswerErrorPage = (reply, status, why) => {
  const words = sayFault(status, why, languageOf(reply.request));
  const pause = why === 'took_too_long' ? REFRESH_SLOWLY_SECONDS : REFRESH_SECONDS;
  const refreshSeconds = status === 503 && reply.request.method === 'GET' ? pause : undefined;
  return answerPage(
    reply,
    status,
    h(ErrorPage, { ...words, visitor: visitorOf(reply.request), refreshSeconds }),
  );
};
