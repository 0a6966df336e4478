-- What is known of a service's channels moves into the service's own alarm row: a reading then locks, checks and writes
-- one row instead of three. Whoever remembers a row knows by its xmin whether anybody has written it since.

alter table alarm_state
  add column channel_ids integer[] not null default '{}',
  -- Of each channel, in the order of channel_ids: its newest judged reading. Epoch milliseconds.
  add column channel_at_ms bigint[] not null default '{}',
  add column channel_values double precision[] not null default '{}',
  -- By channel id, of those that are not simply normal: the breaches that run, the severity, its beginning and its band.
  add column channel_alarms jsonb check (jsonb_typeof(channel_alarms) = 'object'),
  add check (cardinality(channel_at_ms) = cardinality(channel_ids)),
  add check (cardinality(channel_values) = cardinality(channel_ids));

update alarm_state
set channel_ids = known.ids, channel_at_ms = known.ats, channel_values = known.values, channel_alarms = known.alarms
from (
  select service_id, array_agg(channel_id order by channel_id) as ids,
    array_agg((extract(epoch from last_at) * 1000)::bigint order by channel_id) as ats,
    array_agg(last_value order by channel_id) as values,
    jsonb_object_agg(channel_id, json_build_object(
      'breaches', jsonb_strip_nulls(jsonb_build_object(
        'CRITICAL_HIGH', round(extract(epoch from critical_high_since) * 1000),
        'CRITICAL_LOW', round(extract(epoch from critical_low_since) * 1000),
        'WARNING_HIGH', round(extract(epoch from warning_high_since) * 1000),
        'WARNING_LOW', round(extract(epoch from warning_low_since) * 1000))),
      'severity', severity, 'since', round(extract(epoch from severity_since) * 1000), 'band', band))
      filter (where severity <> 'normal' or critical_high_since is not null or critical_low_since is not null
        or warning_high_since is not null or warning_low_since is not null) as alarms
  from channel_state group by service_id) known
where known.service_id = alarm_state.service_id;

drop table channel_state;
