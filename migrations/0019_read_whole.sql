-- Bytes that the server itself cannot read any more, for a damaged page or a missing piece, are no reason to read none of
-- the others: in their place comes null.
create function read_whole(data bytea) returns bytea language plpgsql stable strict as $$
begin
  return substring(data from 1);
exception when data_corrupted or internal_error or io_error then
  return null;
end $$;
