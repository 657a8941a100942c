-- Distances on the ellipsoid.
create schema if not exists gis;

create extension if not exists postgis with schema gis;
alter table public.places add column location gis.geography(point);
