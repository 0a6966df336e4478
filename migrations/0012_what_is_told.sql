-- What is told of a service and when: the facts of each notification, who was told, and when to look again.

alter table notification
  -- null: a test of a group alone.
  alter column service_id drop not null,
  -- Not a real alarm.
  add column mark text check (mark in ('test', 'drill')),
  -- The alarm was told before and still holds.
  add column is_repeat boolean not null default false,
  -- How the service stood as this was decided.
  add column severity text not null check (severity in ('critical', 'warning', 'stale', 'normal')),
  -- For kind system: which silence, by the id of its went_stale event once it is known.
  add column silence_id bigint,
  add column since timestamptz,
  add column happened_at timestamptz not null,
  add column channel text,
  add column value double precision,
  add column limit_value double precision,
  -- Who acknowledged, or who sent the test or drill.
  add column author_name text,
  add column comment text,
  add check (service_id is not null or mark = 'test');
create index notification_by_episode on notification (service_id, episode_id, id desc) where episode_id is not null;
create index notification_by_silence on notification (service_id, silence_id, id desc) where silence_id is not null;
create index notification_waiting_of_service on notification (service_id) where state = 'waiting';

-- recipient: an address, or the id of a webhook, for a webhook's address may hold a secret.
alter table delivery alter column service_id drop not null;

-- One row per service, made with it. Programs that decide what to tell hold this row, never the alarm state: readings do
-- not wait for them.
create table telling (
  service_id integer primary key references service,
  -- When time alone may change what is to be told; null: only an event can.
  look_at timestamptz,
  -- How things stand, in the policy's own words.
  reason text,
  -- When somebody last ended a mute or a downtime by hand; repeats count from there.
  suppression_ended_at timestamptz,
  -- The last alarm and the last silence that anybody was told of.
  told_episode_id bigint,
  told_silence_id bigint
) with (fillfactor = 70);
create index telling_due on telling (look_at) where look_at is not null;
insert into telling (service_id) select id from service;

-- The link in a message. It names the episode, so an old one does not acknowledge a new alarm. The token opens nothing by
-- itself: the page asks for a session.
create table acknowledge_link (
  token text primary key check (length(token) >= 32),
  service_id integer not null,
  -- A drill has an episode of its own.
  episode_id bigint not null,
  created_at timestamptz not null,
  unique (service_id, episode_id)
);

-- The silence a service is in.
create index alarm_event_silence on alarm_event (service_id, id desc) where kind = 'went_stale';
