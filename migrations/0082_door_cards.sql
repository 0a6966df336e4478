-- What whoever stands at a unit sees at its door card without signing in, beside its alarm; null: it leads to the sign-in.
alter table organization add column door_card text[]
  check (door_card <@ array['names', 'what_to_do', 'contents', 'owner', 'value_class', 'phones']);
-- Raised to renew the address of its door card.
alter table service add column door_generation integer not null default 0;

-- Somebody said at the door card to stand there. Nothing says who.
create table door_arrival (
  service_id integer not null references service on delete cascade,
  id bigint generated always as identity,
  episode_id bigint not null,
  -- The address, or the network that counts as one, against which they are counted for a day.
  came_from text not null check (came_from <> ''),
  arrived_at timestamptz not null,
  primary key (service_id, id)
);
create index door_arrival_by_address on door_arrival (came_from, arrived_at);
create index door_arrival_by_age on door_arrival (arrived_at);

-- Rows there are may stay unread.
alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('critical', 'warning', 'acknowledgement', 'arrival', 'recovery', 'system')) not valid;
alter table notification drop constraint notification_subject_check;
alter table notification add constraint notification_subject_check
  check (subject in ('critical', 'warning', 'recovery', 'acknowledgement', 'arrival', 'stale', 'back')) not valid;
