-- While a program has letters in hand it says so every second. A lease of which that is not said any more is taken from it:
-- the program was killed, or stands still. null: of a program that does not say so, whose leases run to their end.
alter table letter add column held_at timestamptz;
