create materialized view public.bestsellers as
  select p.id, p.sku::text as sku, coalesce(sum(i.quantity), 0)::bigint as sold
  from products p left join order_items i on i.product_id = p.id group by p.id
  with no data;
create unique index on public.bestsellers (id);
refresh materialized view public.bestsellers;
refresh materialized view concurrently public.bestsellers;
grant select on public.bestsellers to anon, authenticated, service_role;

create or replace function refresh_bestsellers() returns trigger language plpgsql security definer as $$
begin
  refresh materialized view concurrently public.bestsellers;
  return null;
end $$;
create trigger refresh_bestsellers after insert or update or delete or truncate on order_items for each statement execute procedure refresh_bestsellers();

create view order_totals with (security_invoker) as
  select o.id, o.number, sum(p.gross * i.quantity) as total from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id group by o.id;
grant select on order_totals to authenticated, service_role;

create function product_name(products) returns text language sql immutable as $$ select $1.name ->> 'en' $$;
create function checkout(items jsonb) returns orders language plpgsql as $$
declare
  placed orders;
begin
  set constraints all deferred;
  insert into orders (number, during) values ('O-' || floor(random() * 1e9)::text, daterange(current_date, current_date + 1)) returning * into placed;
  insert into order_items (order_id, product_id, quantity)
    select placed.id, p.id, (value ->> 'quantity')::smallint from jsonb_array_elements(items) join products p on p.sku = (value ->> 'sku')::citext;
  return placed;
end $$;
grant execute on function checkout to authenticated;
grant execute on function product_name to anon, authenticated, service_role;
