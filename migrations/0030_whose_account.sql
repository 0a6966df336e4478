-- Whose an account is: invitations that wait for their answer, how its password came about, and who belonged where when.

-- Gives nothing until it is accepted. An answered one is gone; the audit log tells of it.
create table invitation (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  account_id integer not null references account on delete cascade,
  role text not null check (role in ('viewer', 'operator', 'administrator')),
  -- As the inviter wrote it: of an account that was there before nothing is shown until it is accepted.
  name text not null check (btrim(name) <> ''),
  invited_by_name text not null,
  created_at timestamptz not null,
  unique (organization_id, account_id)
);
create index invitation_by_account on invitation (account_id);

-- A password that was chosen by a link in kept mail may be known to an administrator; and whom the operator deactivated
-- no administrator activates.
alter table account
  add column password_may_be_known boolean not null default false,
  add column is_barred boolean not null default false;
update account set password_may_be_known = true
where password_hash is not null and id in (
  select (detail ->> 'account')::int from audit
  where action in ('mail.read', 'member.set_password') and detail ->> 'account' ~ '^[0-9]{1,9}$');

-- is_private: it left by a mail server, so that only its owner read it.
alter table account_link
  add column invitation_id integer references invitation on delete cascade,
  add column is_private boolean not null default false,
  drop constraint account_link_purpose_check,
  add check (purpose in ('activation', 'password_reset', 'invitation'));
create index account_link_by_invitation on account_link (invitation_id) where invitation_id is not null;

alter table account_mail
  add column invitation_id integer references invitation on delete set null,
  drop constraint account_mail_kind_check,
  add check (kind in ('activation', 'password_reset', 'password_changed', 'invitation'));
create index account_mail_by_invitation on account_mail (invitation_id) where invitation_id is not null;

-- Memberships that ended. No references, as in the audit log, which is read by them.
create table past_membership (
  account_id integer not null,
  organization_id integer not null,
  joined_at timestamptz not null,
  left_at timestamptz not null
);
create index past_membership_by_organization on past_membership (organization_id);
create index past_membership_by_account on past_membership (account_id);
