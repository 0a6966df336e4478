-- When a program lost the thread that packs readings; null: never, or it does not say.
alter table program add column packing_lost_at timestamptz;
