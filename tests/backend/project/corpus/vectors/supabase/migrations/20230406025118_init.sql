-- Enable pgvector extension
create extension if not exists vector with schema extensions;

create table "public"."pages" (
  id bigserial primary key,
  parent_page_id bigint references public.pages,
  path text not null unique,
  meta jsonb
);
create table "public"."sections" (
  id bigserial primary key,
  page_id bigint not null references public.pages on delete cascade,
  content text,
  token_count int,
  embedding extensions.vector(3)
);
alter table "public"."pages" enable row level security;
alter table public.sections enable row level security;
create policy "read" on public.sections for select to anon using (true);
grant select on public.pages, public.sections to anon, service_role;
create index on public.sections using hnsw (embedding vector_ip_ops);

create or replace function match_sections(embedding vector(3), match_threshold float, match_count int)
returns table (id bigint, content text, similarity float)
language plpgsql
as $$
#variable_conflict use_variable
begin
  return query
  select sections.id, sections.content, (sections.embedding <#> embedding) * -1 as similarity
  from public.sections
  where (sections.embedding <#> embedding) * -1 > match_threshold
  order by sections.embedding <#> embedding
  limit match_count;
end;
$$;
grant execute on function match_sections to anon;
