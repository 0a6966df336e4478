-- Whether a letter to one person carries a link by which they acknowledge without signing in.
alter table organization add column personal_links boolean not null default false;
-- Such a link works once.
alter table letter add column link_used_at timestamptz;
