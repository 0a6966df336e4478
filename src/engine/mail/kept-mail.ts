// Mail of a service without a mail server, kept for administrators to read.

import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { type Database, first, type ReadDatabase } from '../../platform/db/database.ts';
import type { Mail, MailBody } from '../../platform/mail/mail.ts';

const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** Whom a mail concerns: who may read it where it is kept follows from that. */
export type MailMatter =
  | { organizationName: string }
  | {
      accountId: AccountId;
      /** Of the organization that invites it. */
      organizationId: OrganizationId | null;
    };

/** The same mail twice is kept once. */
export async function keepMail(db: Database, mail: Mail, matter: MailMatter, now: Date): Promise<void> {
  const organizationName = 'organizationName' in matter ? matter.organizationName : null;
  const { accountId, organizationId } =
    'accountId' in matter ? matter : { accountId: null, organizationId: null };
  await db.query(sql`
    insert into kept_mail (mail_id, organization_id, account_id, recipient, subject, text_body, html_body, created_at)
    values (${mail.id}, (select id from organization where name = ${organizationName} or id = ${organizationId}),
      (select id from account where id = ${accountId}), ${mail.to.address}, ${mail.subject}, ${mail.body.text},
      ${withPicturesInside(mail.body)}, ${now})
    on conflict (mail_id) do nothing`);
}

const withPicturesInside = ({ html, pictures }: MailBody): string =>
  pictures.reduce(
    (page, { cid, png }) => page.replaceAll(`cid:${cid}`, `data:image/png;base64,${png.toString('base64')}`),
    html,
  );

export interface KeptMail {
  id: string;
  recipient: string;
  /** null: it is about an account. With both, it invites that account. */
  organizationId: OrganizationId | null;
  subject: string;
  text: string;
  /** Pictures are inside, as data URLs. No scripts, but styles of its own: show it in a sandboxed frame. */
  html: string;
  createdAt: Date;
}

/**
 * An administrator reads the mail of his organizations, and mail to an account (which may hold a link to set its
 * password) only if the account belongs to his organizations, or is invited by them, and belongs to no other.
 */
const isReadableBy = (organizationIds: OrganizationId[]) => sql`
  (organization_id = any(${organizationIds}::int[])
    or organization_id is null
      and exists (select from membership where membership.account_id = kept_mail.account_id))
  and not exists (
    select from membership
    where membership.account_id = kept_mail.account_id and organization_id <> all(${organizationIds}::int[]))`;

/** Newest first. `organizationIds`: those in which the reader is administrator. */
export const selectKeptMails = (db: ReadDatabase, organizationIds: OrganizationId[], most: number) =>
  db.query<Omit<KeptMail, 'text' | 'html'>>(sql`
    select id, recipient, organization_id as "organizationId", subject, created_at as "createdAt"
    from kept_mail where ${isReadableBy(organizationIds)}
    order by id desc limit ${most}`);

export const selectKeptMail = async (db: ReadDatabase, organizationIds: OrganizationId[], id: string) =>
  first(
    await db.query<KeptMail>(sql`
      select id, recipient, organization_id as "organizationId", subject, text_body as "text", html_body as "html", created_at as "createdAt"
      from kept_mail where id = ${id} and ${isReadableBy(organizationIds)}`),
  );

/** Of the mails of these names, those that the reader may open. */
export const selectReadable = (db: ReadDatabase, organizationIds: OrganizationId[], mailIds: string[]) =>
  db.query<{ id: string; mailId: string }>(sql`
    select id, mail_id as "mailId" from kept_mail
    where mail_id = any(${mailIds}::text[]) and ${isReadableBy(organizationIds)}`);

export const forgetKeptMail = (db: Database, now: Date) =>
  db.query(sql`
    delete from kept_mail
    where created_at < ${new Date(now.getTime() - KEPT_FOR_MS)} or id in (
      select id from (
        select id, row_number() over (partition by organization_id order by id desc) as place from kept_mail) as placed
      where place > ${MOSTS.keptMails.most})`);
