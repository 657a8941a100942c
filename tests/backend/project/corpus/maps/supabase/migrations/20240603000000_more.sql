create index places_name on public.places (lower(name));
