-- What the two values of a state are called where people read them; null: what goes with the channel's name.
alter table channel
  add column off_word text check (btrim(off_word) <> ''),
  add column on_word text check (btrim(on_word) <> '');

-- Whether a recipient hears from several organizations is asked for every message. An address may be longer than an
-- ordinary index takes.
create index notification_group_email_by_email on notification_group_email (email);
create index notification_group_webhook_by_url on notification_group_webhook using hash (url);
