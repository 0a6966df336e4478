-- What somebody does who cannot go: gives an alarm back, or hands it to somebody else.

-- Without taking it, or after having taken it.
create table pass_on (
  service_id integer not null,
  id bigint generated always as identity,
  episode_id bigint not null,
  severity text not null check (severity in ('critical', 'warning')),
  account_id integer not null,
  account_name text not null,
  -- The step that opened by it; null: there was none, and everybody else of the group is told again.
  step smallint check (step between 1 and 8),
  how text not null check (how <> ''),
  passed_at timestamptz not null,
  primary key (service_id, id)
);
create index pass_on_by_episode on pass_on (service_id, episode_id);
create index pass_on_by_age on pass_on (passed_at);

-- It stays with whoever has it until the other one takes it.
create table hand_over (
  service_id integer not null,
  id bigint generated always as identity,
  episode_id bigint not null,
  severity text not null check (severity in ('critical', 'warning')),
  from_id integer not null,
  from_name text not null,
  to_id integer not null,
  to_name text not null,
  offered_at timestamptz not null,
  -- Whoever has it was told that the other one did not take it in time.
  overdue_told_at timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason in ('accepted', 'withdrawn')),
  primary key (service_id, id),
  check (from_id <> to_id),
  check ((ended_at is null) = (end_reason is null))
);
create unique index hand_over_open on hand_over (service_id) where ended_at is null;
create index hand_over_by_episode on hand_over (service_id, episode_id);
create index hand_over_overdue on hand_over (offered_at) where ended_at is null and overdue_told_at is null;
create index hand_over_by_age on hand_over (offered_at);

-- Rows there are may stay unread.
alter table notification drop constraint notification_mark_check;
alter table notification add constraint notification_mark_check
  check (mark in ('test', 'drill', 'hand_over')) not valid;
alter table acknowledgement drop constraint acknowledgement_end_reason_check;
alter table acknowledgement add constraint acknowledgement_end_reason_check
  check (end_reason in ('removed', 'recovered', 'limits_changed', 'archived', 'expired', 'handed_over')) not valid;
