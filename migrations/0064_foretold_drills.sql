-- What was foretold when a drill began: who is told, when and by which way. Null: the version that began it noted nothing.
alter table drill add column foretold jsonb;
