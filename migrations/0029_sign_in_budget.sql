-- How many sign-ins failed from one address, whatever email they were for, since a window began.
create table sign_in_budget (
  address text primary key,
  window_began_at timestamptz not null,
  failures integer not null check (failures > 0)
);
create index sign_in_budget_by_age on sign_in_budget (window_began_at);
