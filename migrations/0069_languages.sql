-- In which language people read: of an account, of a group for those of its recipients who have no account, and of an organization for
-- all others in it. BCP 47; null: nobody chose one. One that is no longer translated is read in the next.
alter table account add column language text;
alter table notification_group add column language text;
alter table organization add column language text;
