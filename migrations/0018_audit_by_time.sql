-- The audit page: newest first, per organization, with what its members did before they acted in any organization.

create index audit_by_time on audit (organization_id, happened_at desc, id desc);
-- Signing in and out, passwords: records of an account, not of an organization.
create index audit_of_account on audit (account_id, happened_at desc, id desc) where organization_id is null;
create index audit_about_account on audit ((detail ->> 'account'), happened_at desc, id desc)
  where organization_id is null and detail ? 'account';
drop index audit_by_organization;
