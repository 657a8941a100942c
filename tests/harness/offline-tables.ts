// Tables of the tests of offline data, and what PostgreSQL itself has counted.
import type postgres from 'postgres'

/**
 * `todos`: each row belongs to its owner; a trigger notes each change in `todo_log` in the order in which they are made.
 * `notices`: everybody may read and add rows.
 */
export const OFFLINE_TABLES = `
  create table public.todos (
    id uuid primary key,
    owner uuid not null default auth.uid(),
    title text not null check (title <> 'forbidden'),
    done boolean not null default false,
    due timestamptz,
    price numeric(8, 2),
    tags jsonb not null default '{}',
    slug text unique,
    "order" int
  );
  alter table public.todos enable row level security;
  create policy own on public.todos using (owner = auth.uid() and slug is distinct from 'locked');
  create policy locked on public.todos for select using (owner = auth.uid());
  create table public.todo_log (at bigint generated always as identity, kind text, id uuid, title text, owner uuid);
  create function public.note_todo() returns trigger language plpgsql security definer as $$
  begin
    insert into public.todo_log (kind, id, title, owner)
      values (tg_op, coalesce(new.id, old.id), coalesce(new.title, old.title), coalesce(new.owner, old.owner));
    return null;
  end $$;
  create trigger note_todo after insert or update or delete on public.todos for each row execute function note_todo();
  create table public.notices (id uuid primary key, words text);
  alter table public.notices enable row level security;
  create policy all_of_them on public.notices using (true);
  alter publication supabase_realtime add table public.todos, public.notices;
  notify pgrst, 'reload schema';`

export interface LoggedChange {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly owner: string
}

/** All changes of `todos`, in order. */
export async function loggedChanges(sql: postgres.Sql): Promise<LoggedChange[]> {
  return [...(await sql<LoggedChange[]>`select kind, id, title, owner from todo_log order by at`)].map(
    row => ({
      ...row,
    }),
  )
}
