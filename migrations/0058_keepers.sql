-- Who looks after the house itself, beside the roles in organizations: how messages leave, and by which address it is reached.
alter table account add column is_keeper boolean not null default false;

-- A house that is lived in already: whoever has administered it for longest.
update account set is_keeper = true
where id = (
  select account.id from account
  where is_active and exists (select from membership where account_id = account.id and role = 'administrator')
  order by created_at, id limit 1);
