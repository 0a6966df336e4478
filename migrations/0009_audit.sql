-- What happened and who did it, for good. No references, so that history outlives accounts.

create table audit (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null,
  organization_id integer,
  service_id integer,
  account_id integer,
  account_name text,
  action text not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
  address text,
  request_id text
);
-- The audit page: newest first, per organization, with what its members did before they acted in any organization.
create index audit_by_time on audit (organization_id, happened_at desc, id desc);
create index audit_by_service on audit (service_id, id desc) where service_id is not null;
create index audit_by_account on audit (account_id, id desc) where account_id is not null;
-- Signing in and out, passwords: records of an account, not of an organization.
create index audit_of_account on audit (account_id, happened_at desc, id desc) where organization_id is null;
create index audit_about_account on audit ((detail ->> 'account'), happened_at desc, id desc)
  where organization_id is null and detail ? 'account';

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit records cannot be changed or deleted' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_audit_change();
-- Fires in replica sessions too.
alter table audit enable always trigger audit_is_append_only;
