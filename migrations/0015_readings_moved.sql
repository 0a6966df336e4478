-- Nothing is left in them: engine/readings/move-old-readings.ts has packed it before.
drop table reading;
drop table reading_minute;
drop table reading_hour;
drop table rollup_progress;
drop table rollup_dirty;
drop function join_rollup_seal;
