/* Without locking
   /* the table */ */
create index concurrently if not exists products_price on public.products (price);
drop index concurrently if exists public.products_attributes;
-- and statistics
analyze public.products;
create statistics products_statistics (dependencies) on price, vat from products;
