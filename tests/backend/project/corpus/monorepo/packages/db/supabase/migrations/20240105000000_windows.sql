create function public.note_count() returns bigint language sql stable
as $body$
  -- counts; them
  select count(*) from public.notes
$body$;

create function public.echo(message text) returns text language plpgsql as
'
begin
  return ''a: '' || message;
end;
';
