-- An alarm from raised to recovered in one row, so that lists of past alarms and figures of them cost by what they show. Triggers
-- keep it in the transaction of what happened, whoever writes that: programs of the version before go on writing events alone.

-- When the value went beyond the limit, as whoever judged it knew; null: by a program of the version before.
alter table alarm_event add column over_since timestamptz;

create table episode (
  id bigint primary key,
  service_id integer not null references service,
  organization_id integer not null references organization,
  -- The worst that it came to, and what made it so first.
  severity text not null check (severity in ('warning', 'critical')),
  channel text,
  band text check (band in ('CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW')),
  limit_value double precision,
  limits_version_id integer,
  over_since timestamptz,
  began_at timestamptz not null,
  -- null: it holds.
  ended_at timestamptz,
  -- Who took it first, and everybody who did.
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_by_ids integer[] not null default '{}',
  -- What they wrote, a line each.
  comments text check (length(comments) <= 10000),
  -- Of the channel, looked up in what is stored once it is over; null: not yet, or no reading is kept.
  worst_value double precision,
  worst_at timestamptz,
  looked_up_at timestamptz
);
create index episode_by_organization on episode (organization_id, began_at desc, id desc);
create index episode_by_service on episode (service_id, began_at desc, id desc);
-- Those that held at some time since; those that hold have none.
create index episode_by_end on episode (organization_id, ended_at);
create index episode_by_person on episode using gin (acknowledged_by_ids);
create index episode_by_words on episode using gin (to_tsvector('pg_catalog.simple', comments)) where comments is not null;
create index episode_to_look_up on episode (id desc) where ended_at is not null and looked_up_at is null;

create function keep_episodes() returns trigger language plpgsql as $$
begin
  insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, limits_version_id, over_since,
    began_at)
  select distinct on (happened.episode_id) happened.episode_id, happened.service_id, state.organization_id,
    happened.to_severity, happened.channel, happened.band, happened.limit_value, happened.limits_version_id, happened.over_since,
    happened.happened_at
  from happened join alarm_state state on state.service_id = happened.service_id
  where happened.kind = 'raised' and happened.episode_id is not null
  order by happened.episode_id, happened.id
  on conflict (id) do nothing;
  update episode
  set severity = 'critical', channel = worse.channel, band = worse.band, limit_value = worse.limit_value,
    limits_version_id = worse.limits_version_id
  from (
    select distinct on (episode_id) episode_id, channel, band, limit_value, limits_version_id from happened
    where kind = 'changed' and to_severity = 'critical' and episode_id is not null order by episode_id, id) as worse
  where episode.id = worse.episode_id and episode.severity = 'warning';
  update episode set ended_at = happened.happened_at
  from happened where happened.kind = 'recovered' and episode.id = happened.episode_id;
  return null;
end $$;
create trigger keep_episodes after insert on alarm_event referencing new table as happened
  for each statement execute function keep_episodes();

create function keep_who_acknowledged() returns trigger language plpgsql as $$
begin
  update episode
  set acknowledged_at = coalesce(acknowledged_at, new.created_at),
    acknowledged_by = coalesce(acknowledged_by, new.account_name),
    acknowledged_by_ids = case when new.account_id = any(acknowledged_by_ids) then acknowledged_by_ids
      else acknowledged_by_ids || new.account_id end,
    comments = left(nullif(concat_ws(E'\n', comments, new.comment), ''), 10000)
  where id = new.episode_id;
  return null;
end $$;
create trigger keep_who_acknowledged after insert on acknowledgement
  for each row execute function keep_who_acknowledged();

-- One that said nothing at first.
create function keep_comment() returns trigger language plpgsql as $$
begin
  update episode set comments = left(nullif(concat_ws(E'\n', comments, new.comment), ''), 10000) where id = new.episode_id;
  return null;
end $$;
create trigger keep_comment after update of comment on acknowledgement
  for each row when (old.comment is null and new.comment is not null) execute function keep_comment();

-- Those that hold: from here on the triggers know of every episode that may still change.
insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, limits_version_id, began_at)
select id, service_id, organization_id, worst.to_severity, worst.channel, worst.band, worst.limit_value,
  worst.limits_version_id, began_at
from (
  select episode_id as id, state.service_id, organization_id, (
    select min(happened_at) from alarm_event
    where alarm_event.service_id = state.service_id and alarm_event.episode_id = state.episode_id) as began_at
  from alarm_state state where episode_id is not null) as holding
cross join lateral (
  select to_severity, channel, band, limit_value, limits_version_id from alarm_event
  where alarm_event.service_id = holding.service_id and alarm_event.episode_id = holding.id and kind in ('raised', 'changed')
  order by to_severity = 'critical' desc, alarm_event.id limit 1) as worst
where began_at is not null;

update episode
set acknowledged_at = taken.acknowledged_at, acknowledged_by = taken.acknowledged_by,
  acknowledged_by_ids = taken.acknowledged_by_ids, comments = taken.comments
from (
  select episode_id, (array_agg(created_at order by id))[1] as acknowledged_at,
    (array_agg(account_name order by id))[1] as acknowledged_by, array_agg(distinct account_id) as acknowledged_by_ids,
    left(string_agg(comment, E'\n' order by id), 10000) as comments
  from acknowledgement where episode_id in (select id from episode) group by episode_id) as taken
where taken.episode_id = episode.id;
