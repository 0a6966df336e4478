-- Outside a transaction
-- Alarms that held through a whole span: of all others one end lies within it.
create index concurrently if not exists episode_long on episode (organization_id, ended_at)
  where ended_at - began_at >= interval '1 day';
