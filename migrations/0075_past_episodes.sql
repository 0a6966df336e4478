-- Episodes that were over before there was a row of each. Nobody writes them any more, so nobody waits.
with worst as (
  select distinct on (episode_id) episode_id, service_id, to_severity, channel, band, limit_value, limits_version_id
  from alarm_event where episode_id is not null and kind in ('raised', 'changed')
  order by episode_id, to_severity = 'critical' desc, id),
span as (
  select episode_id, min(happened_at) as began_at, max(happened_at) as last_at,
    max(happened_at) filter (where kind = 'recovered') as recovered_at
  from alarm_event where episode_id is not null and kind in ('raised', 'changed', 'recovered') group by episode_id),
taken as (
  select episode_id, (array_agg(created_at order by id))[1] as acknowledged_at,
    (array_agg(account_name order by id))[1] as acknowledged_by, array_agg(distinct account_id) as acknowledged_by_ids,
    left(string_agg(comment, E'\n' order by id), 10000) as comments,
    max(ended_at) filter (where end_reason = 'archived') as archived_at
  from acknowledgement group by episode_id)
insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, limits_version_id, began_at, ended_at,
  acknowledged_at, acknowledged_by, acknowledged_by_ids, comments)
select worst.episode_id, worst.service_id, service.organization_id, to_severity, worst.channel, worst.band, worst.limit_value,
  worst.limits_version_id, began_at,
  -- What was archived in alarm has no event that says so.
  coalesce(recovered_at, taken.archived_at, case when service.archived_at >= last_at then service.archived_at end, last_at),
  acknowledged_at, acknowledged_by, coalesce(acknowledged_by_ids, '{}'), comments
from worst
join span using (episode_id)
join service on service.id = worst.service_id
left join taken using (episode_id)
where not exists (
  select from alarm_state
  where alarm_state.service_id = worst.service_id and alarm_state.episode_id = worst.episode_id)
on conflict (id) do nothing;
