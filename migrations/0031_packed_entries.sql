-- Where packs are split over machines: entries whose readings are in packs. They are taken away once every machine shows
-- these packs, so that readings are met twice rather than not at all.
create table packed_entry (id bigint primary key);
