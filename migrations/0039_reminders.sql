-- Mails to people about what is to come or still holds: gaps, shifts, mutes. And what ends by itself.

create table reminder (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  organization_id integer not null references organization on delete cascade,
  kind text not null check (kind in ('gaps', 'shift', 'unconfirmed', 'muted', 'series_ends')),
  -- Of what and of when: nobody is reminded of the same twice.
  about text not null check (about <> ''),
  -- Subject, lines, and where its button leads; written as it is made, in the reader's zone.
  content jsonb not null,
  -- Opens the page on which its reader says to have it, and nothing else.
  token text unique check (length(token) >= 32),
  confirmed_at timestamptz,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (account_id, kind, about)
);
create index reminder_due on reminder (next_attempt_at) where state = 'queued';
create index reminder_by_age on reminder (created_at);

-- A shift begins with a message whose reader says to have it.
alter table rota add column confirm boolean not null default false;

-- So long an acknowledgement stands while its alarm goes on; null: until somebody takes it back.
alter table notification_group
  add column acknowledged_minutes integer check (acknowledged_minutes between 5 and 10080);
alter table acknowledgement drop constraint acknowledgement_end_reason_check;
alter table acknowledgement add constraint acknowledgement_end_reason_check
  check (end_reason in ('removed', 'recovered', 'limits_changed', 'archived', 'expired'));

-- null: until somebody ends it.
alter table mute add column ends_at timestamptz check (ends_at > created_at);
create index mute_by_end on mute (ends_at) where ended_at is null and ends_at is not null;
