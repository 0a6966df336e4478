-- Which columns of the list of equipment somebody wants to see. Empty: nothing was chosen.
alter table account add column list_columns text[];
