// A backend with three users whose rows are private by policy and contain a secret mark.
import postgres from 'postgres'
import { afterAll } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { createSigner } from './forgeries.ts'

export const signer = await createSigner()
export const backend = await startTestBackend({ databaseAccess: {}, signingKeys: [signer.jwk] })
export const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => {} })
afterAll(() => sql.end())

await sql.unsafe(`
  create table boats (id int primary key, owner uuid not null default auth.uid(), name text unique, extra jsonb);
  create table cargo (id int primary key, boat int references boats, weight int, what text);
  alter table boats enable row level security;
  alter table cargo enable row level security;
  create policy own on boats using (owner = auth.uid()) with check (owner = auth.uid());
  create policy aboard on cargo using (exists (select from boats where boats.id = boat and owner = auth.uid()))
    with check (exists (select from boats where boats.id = boat and owner = auth.uid()));
  create view fleet with (security_invoker) as select b.id, b.name, c.what from boats b left join cargo c on c.boat = b.id;
  create function all_boats() returns setof boats language sql stable as $$ select * from boats $$;
  create function boat_named(n text) returns json language sql stable as $$ select to_json(b) from boats b where name = n $$;
  create function rename_all(n text) returns setof boats language sql as
    $$ update boats set extra = jsonb_build_object('n', n) where true returning * $$;
`)

export interface Person {
  readonly id: string
  readonly token: string
  /** Contained in all of the user's rows, and nowhere else. */
  readonly mark: string
}

async function signUp(name: string, first: number): Promise<Person> {
  const { data } = await officialClient(backend).auth.signUp({
    email: `${name}@cross.test`,
    password: 'long enough for anyone',
  })
  const id = data.user?.id ?? ''
  const mark = `mark-of-${name}-${Math.random().toString(36).slice(2)}`
  for (const at of [first, first + 1, first + 2]) {
    await sql`insert into boats values (${at}, ${id}, ${`${mark} ${at}`}, ${sql.json({ [mark]: mark })})`
    await sql`insert into cargo values (${at}, ${at}, ${at}, ${mark})`
  }
  return { id, token: data.session?.access_token ?? '', mark }
}

export const ann = await signUp('ann', 1)
export const ben = await signUp('ben', 11)
export const cat = await signUp('cat', 21)
export const people = [ann, ben, cat]
