-- Which kind of equipment a service is, as the templates of limits name them; null: nobody said so.
alter table service add column template text check (template <> '');

-- What to do, what is inside, whose it is and whom to call: of a service, of a template of an organization, or of a location.
create table guidance (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  service_id integer unique references service on delete cascade,
  template text check (template <> ''),
  location_id integer unique references location on delete cascade,
  what_to_do text check (what_to_do <> ''),
  contents text check (contents <> ''),
  owner text check (owner <> ''),
  value_class text check (length(value_class) = 1),
  -- One on each line.
  phones text check (phones <> ''),
  changed_at timestamptz not null,
  check (num_nonnulls(service_id, template, location_id) = 1),
  check (num_nonnulls(what_to_do, contents, owner, value_class, phones) > 0),
  unique (organization_id, template)
);
