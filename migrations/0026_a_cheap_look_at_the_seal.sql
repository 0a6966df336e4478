-- The same look, by the key of the only row: where sequential scans are off, reading the whole table is priced so high that
-- a server compiles it for every post.
create or replace function join_rollup_seal(lock_key bigint) returns timestamptz language plpgsql volatile as $$
declare
  seal timestamptz;
begin
  perform pg_advisory_xact_lock_shared(lock_key);
  select sealed_until into strict seal from rollup_progress where only_row;
  return seal;
end $$;
