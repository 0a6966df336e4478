// The page by which the reader of a message says to have it. Its link opens nothing else, and nobody has to sign in.

import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { Page } from '../../engine/pages/page.tsx';
import { routeOpenPage } from '../../engine/pages/page-routes.ts';
import { confirmReceipt, findReceipt, type Receipt } from '../../engine/reminders/reminders.ts';
import { RECEIPTS } from '../../engine/reminders/send-reminders.tsx';
import type { Database } from '../../platform/db/database.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { HttpServer } from '../../platform/http/server.ts';

export function routeReceipts(app: HttpServer, deps: { db: Database; publicUrl: () => URL | null }): void {
  const { db } = deps;
  const url = `${RECEIPTS}/:token`;

  routeOpenPage(app, deps, {
    method: 'GET',
    url,
    show: async ({ reply, params: { token = '' } }) => {
      const receipt = await findReceipt(db, token);
      if (!receipt) return answerErrorPage(reply, 404);
      return answerPage(reply, 200, <ReceiptPage receipt={receipt} token={token} />);
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url,
    show: async ({ request, reply, params: { token = '' } }) => {
      const receipt = await findReceipt(db, token);
      if (!receipt) return answerErrorPage(reply, 404);
      await db.transaction((tx) => confirmReceipt(tx, receipt.id, request.now));
      return reply.redirect(`${RECEIPTS}/${token}`, 303);
    },
  });
}

/** Looking is not enough: programs that check links in mails look, too. */
const ReceiptPage = ({ receipt, token }: { receipt: Receipt; token: string }) => {
  const { say } = useLanguage();
  return (
    <Page title={receipt.subject} visitor={null}>
      <div class="narrow">
        <h1>{receipt.subject}</h1>
        {receipt.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {receipt.confirmedAt ? (
          <Notice kind="done">
            {say('Thank you, {name}: it is noted that you have it.', { name: receipt.accountName })}
          </Notice>
        ) : (
          <form method="post" action={`${RECEIPTS}/${token}`}>
            <button type="submit" class="button-primary">
              {/* For translators: a button: I have read the message and know that I am on call */}
              {say('I have it')}
            </button>
          </form>
        )}
        {/* For translators: so that nobody takes this receipt for the acknowledgement of an alarm */}
        <p class="muted">{say('This acknowledges no alarm.')}</p>
      </div>
    </Page>
  );
};
