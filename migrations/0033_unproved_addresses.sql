-- Addresses that somebody typed, and nobody has shown to read. Those of the lab file are vouched for by the operator; what
-- was there before is taken for proved.
alter table notification_group_email add column is_proved boolean not null default true;
alter table notification_group_email alter column is_proved set default false;

-- Mails to such addresses that people asked for, invitations too, in the last hour.
create table unproved_mail (
  organization_id integer not null references organization on delete cascade,
  email text not null,
  asked_at timestamptz not null
);
create index unproved_mail_by_organization on unproved_mail (organization_id, asked_at);
create index unproved_mail_by_age on unproved_mail (asked_at);
