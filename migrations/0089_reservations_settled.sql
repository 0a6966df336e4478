-- What became of room that was reserved. Nobody has to say so: once its time is over it keeps nothing.
alter table rescue_reservation
  add column moved_at timestamptz,
  add column moved_by text,
  -- So many racks were taken off what the refuge has free.
  add column counted integer check (counted between 0 and 10000),
  add column returned_at timestamptz,
  add constraint rescue_reservation_moved_check check (
    (moved_at is null) = (moved_by is null) and (moved_at is null) = (counted is null)
    and (moved_at is null or ended_at is not null) and (returned_at is null or moved_at is not null));
create index rescue_reservation_moved on rescue_reservation (refuge_id) where moved_at is not null and returned_at is null;

-- Since then its door is judged by a tighter time, as long as it holds room for what is in another unit; null: by its own.
alter table rescue add column door_tight_since timestamptz;
create index rescue_door_tight on rescue (service_id) where door_tight_since is not null;
