-- Where what is in it goes before anywhere else that is as cold, in this order. One that is no unit any more is passed over.
alter table rescue add column preferred_ids integer[] not null default '{}' check (cardinality(preferred_ids) <= 5);
