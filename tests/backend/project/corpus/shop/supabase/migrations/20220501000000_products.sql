create extension if not exists "uuid-ossp";
create extension if not exists citext;
create extension if not exists unaccent with schema extensions;
create extension if not exists btree_gist;
create table products (
  id uuid default uuid_generate_v4() primary key,
  sku citext unique not null,
  name jsonb not null,
  price numeric(10, 2) not null check (price >= 0),
  vat numeric(4, 3) not null default 0.19,
  gross numeric generated always as (round(price * (1 + vat), 2)) stored,
  search tsvector generated always as (to_tsvector('english', coalesce(name ->> 'en', ''))) stored,
  attributes jsonb default '{}'::jsonb
);
create index products_search on products using gin (search);
create index products_attributes on products using gin (attributes jsonb_path_ops);
create table orders (
  id serial primary key,
  number text unique,
  customer uuid default auth.uid() references auth.users,
  during daterange,
  exclude using gist (customer with =, during with &&)
);
create table order_items (
  order_id int references orders on delete cascade deferrable initially deferred,
  product_id uuid references products on delete restrict,
  quantity smallint not null default 1 check (quantity between 1 and 99),
  primary key (order_id, product_id)
);
grant select, insert on products, orders, order_items to authenticated;
grant select on products to anon;
grant all on products, orders, order_items to service_role;
grant usage on all sequences in schema public to authenticated, service_role;
alter table products enable row level security;
alter table orders enable row level security;
alter table order_items enable row level security;
create policy "anyone reads" on products for select using (true);
create policy "own orders" on orders for all to authenticated using (customer = auth.uid());
create policy "own items" on order_items for all to authenticated using (order_id in (select id from orders));
