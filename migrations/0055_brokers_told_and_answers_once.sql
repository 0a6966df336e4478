-- A webhook leads to a broker, too. Which kind has which of these, the program knows.
alter table notification_group_webhook
  drop constraint notification_group_webhook_url_check,
  add constraint notification_group_webhook_url_check check (url ~ '^(https?|mqtts?)://');

-- What somebody answered by SMS or in a call, as their provider handed it on: the same once more changes nothing.
create table answer_taken (
  -- SHA-256 of what its provider calls it.
  id bytea primary key check (octet_length(id) = 32),
  taken_at timestamptz not null
);
create index answer_taken_by_age on answer_taken (taken_at);
