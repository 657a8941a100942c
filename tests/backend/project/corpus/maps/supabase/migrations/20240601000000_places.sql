create extension cube with schema extensions;
create extension earthdistance with schema extensions;
create table public.places (id int primary key, name text not null, lat float8 not null, lng float8 not null);
alter table public.places enable row level security;
create policy "read" on public.places for select using (true);
create function public.near(lat float8, lng float8, meters float8) returns setof public.places language sql stable as $$
  select * from public.places p
  where extensions.earth_distance(extensions.ll_to_earth(p.lat, p.lng), extensions.ll_to_earth(near.lat, near.lng)) < meters order by id
$$;
