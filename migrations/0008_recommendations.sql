-- Requests for limits and what the advisor made of them. The row's id is the contract's result_id.

create table recommendation (
  id bigint generated always as identity primary key,
  service_id integer not null references service,
  state text not null check (state in ('pending', 'failed', 'completed', 'applied')),
  requested_by_id integer not null,
  requested_by_name text not null,
  requested_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  leased_until timestamptz,
  failure_reason text,
  -- json, not jsonb: a result is kept to the letter.
  result json check (json_typeof(result) = 'object'),
  finished_at timestamptz,
  applied_at timestamptz,
  check ((state = 'pending') = (finished_at is null)),
  check ((state = 'failed') = (failure_reason is not null)),
  check ((state in ('completed', 'applied')) = (result is not null)),
  check ((state = 'applied') = (applied_at is not null))
);
create unique index recommendation_pending on recommendation (service_id) where state = 'pending';
create index recommendation_by_service on recommendation (service_id, id desc);
