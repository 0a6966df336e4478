-- Who is told at which step while nobody acts, at what hours, and who is on call.

alter table notification_group_account
  add column step smallint not null default 0 check (step between 0 and 8),
  add column during text not null default 'always' check (during in ('always', 'lab_hours', 'off_hours')),
  drop constraint notification_group_account_pkey,
  add primary key (group_id, account_id, step, during);
alter table notification_group_email
  add column step smallint not null default 0 check (step between 0 and 8),
  add column during text not null default 'always' check (during in ('always', 'lab_hours', 'off_hours')),
  drop constraint notification_group_email_pkey,
  add primary key (group_id, email, step, during);
alter table notification_group_webhook
  add column step smallint not null default 0 check (step between 0 and 8),
  add column during text not null default 'always' check (during in ('always', 'lab_hours', 'off_hours')),
  drop constraint notification_group_webhook_group_id_kind_url_key,
  add unique (group_id, kind, url, step, during);

-- After step 0, which needs no row. A group without any tells everybody at once.
create table notification_group_step (
  group_id integer not null references notification_group on delete cascade,
  step smallint not null check (step between 1 and 8),
  -- From step 0 on, while nobody acknowledges. A later step has more.
  after_minutes integer not null check (after_minutes between 1 and 1440),
  kinds text[] not null default '{critical}' check (kinds <@ '{critical,warning,system}' and cardinality(kinds) > 0),
  primary key (group_id, step)
);

-- When people are in the lab; of an organization without a row nobody has said so.
create table lab_hours (
  organization_id integer primary key references organization on delete cascade,
  timezone text not null check (timezone <> ''),
  -- [{"days": [1, 2], "from": "08:00", "to": "18:00"}], 1 is Monday. An end that is not later runs past midnight.
  weekly jsonb not null check (jsonb_typeof(weekly) = 'array')
);

-- Off hours all that local day.
create table holiday (
  organization_id integer not null references organization on delete cascade,
  day date not null,
  name text not null check (btrim(name) <> ''),
  primary key (organization_id, day)
);

create table rota (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null check (btrim(name) <> ''),
  timezone text not null check (timezone <> ''),
  -- Opens the calendar of its shifts, and nothing else. null: there is none.
  feed_token text unique check (length(feed_token) >= 32),
  created_at timestamptz not null,
  unique (organization_id, name)
);

-- Never changed: who was on call stays provable. The newest that has begun counts.
create table rota_version (
  rota_id integer not null references rota on delete cascade,
  version integer not null check (version > 0),
  from_date date not null,
  handover time not null,
  every text not null check (every in ('day', 'week')),
  length smallint not null check (length between 1 and 12),
  primary key (rota_id, version)
);

create table rota_member (
  rota_id integer not null,
  version integer not null,
  position smallint not null check (position >= 0),
  account_id integer not null references account on delete cascade,
  primary key (rota_id, version, position),
  foreign key (rota_id, version) references rota_version on delete cascade
);
create index rota_member_by_account on rota_member (account_id);

create table rota_stand_in (
  id integer generated always as identity primary key,
  rota_id integer not null references rota on delete cascade,
  start_at timestamptz not null,
  end_at timestamptz not null check (end_at > start_at),
  account_id integer not null references account on delete cascade,
  -- Whose turn it was when this was arranged.
  instead_of_id integer,
  reason text check (btrim(reason) <> ''),
  author_id integer not null,
  author_name text not null,
  created_at timestamptz not null,
  -- Somebody ended it before its time.
  ended_at timestamptz
);
create index rota_stand_in_by_rota on rota_stand_in (rota_id, end_at);
create index rota_stand_in_by_account on rota_stand_in (account_id);

create table notification_group_rota (
  group_id integer not null references notification_group on delete cascade,
  rota_id integer not null references rota on delete cascade,
  step smallint not null default 0 check (step between 0 and 8),
  during text not null default 'always' check (during in ('always', 'lab_hours', 'off_hours')),
  primary key (group_id, rota_id, step, during)
);
create index notification_group_rota_by_rota on notification_group_rota (rota_id);

-- Every step of a ladder that an alarm, a stale period or a drill took, also one that reached nobody. 9: the last resort.
create table step_opened (
  service_id integer not null,
  id bigint generated always as identity,
  episode_id bigint,
  stale_event_id bigint,
  severity text not null check (severity in ('critical', 'warning', 'stale')),
  step smallint not null check (step between 0 and 9),
  opened_at timestamptz not null,
  reason text not null check (reason <> ''),
  primary key (service_id, id),
  check (num_nonnulls(episode_id, stale_event_id) = 1)
);
create index step_opened_by_episode on step_opened (service_id, episode_id) where episode_id is not null;
create index step_opened_by_stale_event on step_opened (service_id, stale_event_id) where stale_event_id is not null;
create index step_opened_last_resort on step_opened (service_id, episode_id) where step = 9;
create index step_opened_by_age on step_opened (opened_at);

alter table delivery
  add column step smallint not null default 0 check (step between 0 and 9),
  -- Whose address it was; the name is a copy.
  add column account_id integer,
  add column account_name text;

-- A drill on its way up the ladder, until somebody acknowledges it or there is no further step.
create table drill_climb (
  episode_id bigint primary key,
  service_id integer not null,
  group_id integer not null references notification_group on delete cascade,
  author_name text not null,
  started_at timestamptz not null,
  look_again_at timestamptz not null
);
create index drill_climb_due on drill_climb (look_again_at);
