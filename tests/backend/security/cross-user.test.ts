// Thousands of random attempts over REST, by users and strangers, to see or change what belongs to another.
import fc from 'fast-check'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { createSigner, forgeTokens } from './forgeries.ts'

const ATTEMPTS = 6_000
const AT_ONCE = 40

const signer = await createSigner()
const backend = await startTestBackend({ databaseAccess: {}, signingKeys: [signer.jwk] })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => {} })
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

interface Person {
  readonly id: string
  readonly token: string
  /** In every row of theirs, and nowhere else. */
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

const ann = await signUp('ann', 1)
const ben = await signUp('ben', 11)
const cat = await signUp('cat', 21)
const people = [ann, ben, cat]

const OPTIONAL = { requiredKeys: [] }
const pick = <T>(...values: T[]) => fc.constantFrom(...values)
/** What honest clients send, and now and then something else. */
const mostly = <T, U>(usual: T, strange: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: strange })
const id = pick(1, 2, 3, 11, 12, 21, 22, 99)
const owner = pick(ann.id, ben.id, cat.id)
/** Nobody knows a mark of another's; what it begins with may be guessed. */
const text = pick('mark-of-ann-*', 'mark-of-ben-%', '^mark-of-cat', 'x', '*', '%')
const cell = fc.oneof(
  id.map(String),
  owner,
  text,
  pick('null', '0', '{"a":1}', `(${ann.id},${ben.id})`, '(1,11,21)'),
)
const filter = fc
  .tuple(
    pick(
      'id',
      'owner',
      'name',
      'what',
      'boat',
      'extra',
      'extra->>a',
      'cargo.what',
      'boats.name',
      'boats.owner',
    ),
    pick(
      'eq',
      'neq',
      'gt',
      'gte',
      'like',
      'ilike',
      'match',
      'in',
      'is',
      'not.eq',
      'not.is',
      'cs',
      'isdistinct',
    ),
    cell,
  )
  .map(([column, operator, value]) => `${column}=${encodeURIComponent(`${operator}.${value}`)}`)
const other = fc.oneof(
  pick(
    'select=*',
    'select=*,cargo(*)',
    'select=*,boats(*)',
    'select=*,boats!inner(*,cargo(*))',
    'select=name::int',
  ),
  pick(
    'select=...boats(name,owner)',
    'select=cargo(what),*',
    'order=owner.desc',
    'order=boats(name)',
    'limit=100',
  ),
  pick(
    'on_conflict=id',
    'on_conflict=name',
    'columns=id,owner,name',
    `apikey=${backend.publishableKey}`,
    'n=x',
  ),
  owner.map(value => `or=(owner.eq.${value},id.gt.0)`),
  owner.map(value => `and=(id.gt.0,not.and(owner.neq.${value}))`),
  text.map(value => `n=${encodeURIComponent(value)}`),
)
const free = fc.integer({ min: 1_000, max: 1_000_000 })
const anyId = fc.oneof(id, free)
const boat = fc.record(
  { id: anyId, owner, name: fc.oneof(text, fc.uuid()), extra: pick(null, { a: 1 }) },
  OPTIONAL,
)
const load = fc.record({ id: anyId, boat: id, what: text, weight: id }, { requiredKeys: ['id'] })
const row = fc.oneof(
  boat,
  load,
  text.map(n => ({ n })),
)
const preferred = pick(
  ...['return=representation', 'count=exact', 'resolution=merge-duplicates,return=representation'],
  ...['resolution=ignore-duplicates,return=representation', 'missing=default,return=representation'],
)
const strangeHeaders = fc.record(
  {
    prefer: preferred,
    accept: pick(
      'text/csv',
      'application/vnd.pgrst.object+json',
      'application/vnd.pgrst.plan+text; options=verbose',
    ),
    'accept-profile': pick('auth', 'public', 'storage', 'realtime', 'extensions', 'pg_catalog'),
    'content-profile': pick('auth', 'public', 'storage'),
    'x-supabase-role': pick('service_role', 'postgres'),
    role: pick('service_role'),
    'x-forwarded-for': pick('127.0.0.1'),
    'x-forwarded-host': pick('localhost'),
    'x-http-method-override': pick('DELETE', 'PATCH'),
    'request.jwt.claims': pick('{"role":"service_role"}'),
  },
  OPTIONAL,
)
const sender = {
  by: pick(ann, ben, undefined),
  headers: fc.oneof(fc.record({ prefer: preferred }, OPTIONAL), strangeHeaders),
  /** A number chooses among the forged tokens; most go with their own. */
  forged: mostly(null, fc.nat(40)),
  scheme: mostly('Bearer', pick('bearer', 'Basic')),
  apikey: mostly(
    backend.publishableKey,
    pick('', backend.secretKey.slice(0, -1), 'service_role', `${backend.publishableKey},${ann.id}`),
  ),
}
/** Rows that fit their table, sent as a client would send them. */
const insertion = (path: string, body: fc.Arbitrary<object>) =>
  fc.record({ ...sender, method: fc.constant('POST'), path: fc.constant(path), query: fc.constant([]), body })
const anything = fc.record({
  ...sender,
  method: pick('GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'),
  path: pick(
    ...['boats', 'boats', 'cargo', 'cargo', 'fleet', 'rpc/all_boats', 'rpc/boat_named', 'rpc/rename_all'],
    ...['users', 'auth.users', 'sessions', 'rpc/jwt', 'rpc/set_config', 'objects', 'messages', ''],
  ),
  query: fc.array(fc.oneof(filter, filter, other), { maxLength: 4 }),
  body: fc.oneof(row, fc.array(row, { maxLength: 3 })),
})
const attempt = fc.oneof(
  { weight: 6, arbitrary: anything },
  { weight: 1, arbitrary: insertion('boats', boat) },
  { weight: 1, arbitrary: insertion('cargo', load) },
)
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never

const forgeries = new Map(
  await Promise.all(
    people.map(async one => {
      const victims = people.filter(person => person !== one)
      const lists = await Promise.all(victims.map(({ id: victim }) => forgeTokens(signer, victim, one.token)))
      return [one, lists.flat()] as const
    }),
  ),
)

function tokenOf({ by, forged }: Attempt): string | undefined {
  const list = forgeries.get(by ?? cat) ?? []
  return forged === null ? by?.token : list[forged % list.length]
}

async function dare(given: Attempt): Promise<{ status: number; text: string }> {
  const token = tokenOf(given)
  const sent = {
    ...given.headers,
    'content-type': 'application/json',
    ...(given.apikey ? { apikey: given.apikey } : {}),
    ...(token === undefined ? {} : { authorization: `${given.scheme} ${token}` }),
  }
  const writes = !['GET', 'HEAD'].includes(given.method)
  const response = await fetch(`${backend.url}/rest/v1/${given.path}?${given.query.join('&')}`, {
    method: given.method,
    headers: sent,
    ...(writes ? { body: JSON.stringify(given.body) } : {}),
  })
  return {
    status: response.status,
    text: `${JSON.stringify([...response.headers])} ${await response.text()}`,
  }
}

/** Marks that an answer holds though its asker does not own them. */
function leaks(given: Attempt, answer: string): string[] {
  const asker = given.forged === null ? given.by : undefined
  return people.filter(person => person !== asker && answer.includes(person.mark)).map(({ mark }) => mark)
}

const rowsOfCat = () => sql`
  select (select json_agg(b order by id) from boats b where owner = ${cat.id})::text as boats,
         (select json_agg(c order by id) from cargo c where what = ${cat.mark})::text as cargo`

test(`${ATTEMPTS} attempts leak nothing and change nothing of another's`, { timeout: 120_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const before = await rowsOfCat()
  const attempts = fc.sample(attempt, { numRuns: ATTEMPTS, seed })
  const found: unknown[] = []
  const seen = new Map<number, number>()
  while (attempts.length > 0) {
    const batch = attempts.splice(0, AT_ONCE)
    const answers = await Promise.all(batch.map(dare))
    for (const [index, { status, text: answer }] of answers.entries()) {
      const given = batch[index]
      seen.set(status, (seen.get(status) ?? 0) + 1)
      if (given && (status >= 500 || leaks(given, answer).length > 0)) found.push({ given, status, answer })
    }
  }
  expect(found.slice(0, 3), `seed ${seed}`).toEqual([])
  expect(await rowsOfCat()).toEqual(before)
  // The attempts are not all turned away at the door.
  expect(
    [200, 201, 204, 400, 401, 403, 404, 409].filter(status => (seen.get(status) ?? 0) < 5),
    `seed ${seed}: ${JSON.stringify([...seen])}`,
  ).toEqual([])
})

test('owners still see their rows', async () => {
  const response = await fetch(`${backend.url}/rest/v1/boats?select=name&order=id`, {
    headers: { apikey: backend.publishableKey, authorization: `Bearer ${cat.token}` },
  })
  expect(await response.json()).toEqual([21, 22, 23].map(at => ({ name: `${cat.mark} ${at}` })))
})

test.each([...(forgeries.get(ann) ?? [])].map((token, at) => [at, token] as const))(
  'forged token %i gives 401',
  async (_at, token) => {
    const response = await fetch(`${backend.url}/rest/v1/boats`, {
      headers: { apikey: backend.publishableKey, authorization: `Bearer ${token}` },
    })
    const body: unknown = await response.json()
    expect([
      response.status,
      ['PGRST301', 'PGRST303'].includes(String(Reflect.get(Object(body), 'code'))),
    ]).toEqual([401, true])
  },
)
