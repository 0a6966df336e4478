-- The keys by which push services know who sends are kept like the one that signs tokens.

alter table instance_secret drop constraint instance_secret_name_check;
alter table instance_secret add constraint instance_secret_name_check check (name in ('token_signing', 'web_push'));
