-- How the programs fare, so that any of them can say what is wrong with the service.

alter table program
  -- Since when programs of its roles run without a pause. null: a version that does not say.
  add column awake_since timestamptz,
  -- When its work was last done to its end.
  add column swept_at timestamptz,
  add column decided_at timestamptz,
  add column delivered_at timestamptz,
  -- How far its host's clock is ahead of the database's, at least.
  add column clock_ahead_ms bigint,
  -- Of the disk that holds the cluster, if it is on the same host.
  add column disk_free_bytes bigint,
  add column disk_total_bytes bigint;
