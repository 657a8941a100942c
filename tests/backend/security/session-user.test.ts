// The session of REST is `authenticator`, which no SQL leaves: each attempt has the outcome that a PostgreSQL server gives
// to a client that logs in as `authenticator` and does what PostgREST does.
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../../harness/backend.ts'
import { startPlainServer } from '../../harness/plain-server.ts'
import { CLAIMS_SCHEMA, ESCAPES, ESCAPE_SCHEMA } from './escapes.ts'

/** A plain server with the roles of a hosted project. */
const { connect } = await startPlainServer()
const owner = await connect('supabase_admin')
await owner.query(`
  create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls;
  create role authenticator login noinherit; grant anon, authenticated, service_role to authenticator, postgres;
  set session authorization postgres; ${ESCAPE_SCHEMA}`)
for (const [id, statement] of ESCAPES.entries())
  await owner.query('insert into wanted values ($1, $2)', [id, statement])
await owner.end()

const WAYS = ['rpc', 'trigger', 'view', 'policy'] as const
type Way = (typeof WAYS)[number]

const SQL: Readonly<Record<Way, string>> = {
  rpc: 'select public.attempt($1) as outcome',
  trigger: 'insert into public.tried (statement) values ($1) returning outcome',
  view: 'select outcome from public.attempts where id = $1::int',
  policy: 'select id from public.guarded where $1::text is not null',
}

/** The same attempt, as PostgREST runs it for an anonymous caller. */
async function onServer(statement: string, way: Way): Promise<unknown> {
  const client = await connect('authenticator')
  try {
    await client.query(
      `begin${way === 'trigger' ? '' : ' read only'};
       select set_config('search_path', 'public, extensions', true),
         set_config('request.headers', ${client.escapeLiteral(JSON.stringify({ 'x-statement': statement }))}, true),
         set_config('role', 'anon', true)`,
    )
    const value = way === 'view' ? ESCAPES.indexOf(statement) : statement
    const { rows } = await client.query<{ outcome: unknown }>(SQL[way], [value])
    await client.query('commit')
    return rows[0]?.outcome
  } catch (error) {
    return outcomeOf(error)
  } finally {
    await client.end()
  }
}

/** A policy can only tell by an error. */
function outcomeOf(error: unknown): unknown {
  const { code, message } = error as { code: string; message: string }
  return code === 'P0001' && message.startsWith('{') ? JSON.parse(message) : { error: code }
}

const known = new Map<string, Promise<unknown>>()
const expected = (statement: string, way: Way) => {
  const key = `${way} ${statement}`
  const outcome = known.get(key) ?? onServer(statement, way)
  known.set(key, outcome)
  return outcome
}

describe.for(['pglite', 'postgres'] as const)('%s', engine => {
  let backend: Awaited<ReturnType<typeof startTestBackend>>
  let sql: postgres.Sql

  beforeAll(async () => {
    backend = await startTestBackend({ engine, databaseAccess: {} })
    sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
    await sql.unsafe(`${ESCAPE_SCHEMA}${CLAIMS_SCHEMA}`)
    await sql`insert into wanted ${sql(ESCAPES.map((statement, id) => ({ id, statement })))}`
    await sql.unsafe(`notify pgrst, 'reload schema'`)
  }, 60_000)
  afterAll(() => sql?.end())

  async function actual(statement: string, way: Way): Promise<unknown> {
    const client = officialClient(backend)
    const id = ESCAPES.indexOf(statement)
    const { data, error } = await (way === 'rpc'
      ? client.rpc('attempt', { statement }, { get: true })
      : way === 'trigger'
        ? client.from('tried').insert({ statement }).select('outcome')
        : way === 'view'
          ? client.from('attempts').select('outcome').eq('id', id)
          : client.from('guarded').select('id').setHeader('x-statement', statement))
    if (error) return outcomeOf(error)
    const rows: unknown = way === 'rpc' ? [{ outcome: data as unknown }] : data
    return (rows as { outcome: unknown }[])[0]?.outcome
  }

  test.for(WAYS)(
    'by %s, an attempt to leave the role ends as on a PostgreSQL server',
    { timeout: 240_000 },
    async way => {
      for (const statement of ESCAPES) {
        const [is, should] = [await actual(statement, way), await expected(statement, way)]
        expect.soft({ statement, outcome: is }).toEqual({ statement, outcome: should })
      }
    },
  )

  test('nothing that a session keeps reaches the owner or the next caller', async () => {
    const client = officialClient(backend)
    for (const statement of ESCAPES) await client.rpc('attempt', { statement })
    const { data } = await client.rpc('attempt', { statement: 'select 1' })
    expect(data).toMatchObject({ failure: null, state: { session: 'authenticator', current: 'anon' } })
    // The owner's own work: auth, and drivers.
    const { error } = await signedIn(backend, 'skipper').then(({ auth }) => auth.getUser())
    expect(error).toBeNull()
    expect(await sql`select session_user::text as session, current_user::text as current`).toEqual([
      { session: 'postgres', current: 'postgres' },
    ])
  }, 120_000)

  test('a check of `session_user` protects claims as in production', async () => {
    const client = await signedIn(backend, 'skipper')
    const { data } = await client.auth.getUser()
    const claim = { uid: data.user?.id, claim: 'claims_admin', value: true }
    expect((await client.rpc('set_claim', claim)).data).toBe('error: access denied')
    expect((await officialClient(backend).rpc('set_claim', claim)).data).toBe('error: access denied')
    const service = officialClient(backend, backend.secretKey)
    expect((await service.rpc('set_claim', claim)).data).toBe('OK')
    expect(await sql`select is_claims_admin() as ok`).toEqual([{ ok: true }])
    await client.auth.refreshSession()
    expect((await client.rpc('set_claim', { ...claim, claim: 'level', value: 3 })).data).toBe('OK')
  })

  test('policies of storage and of private channels run in a session of `authenticator`', async () => {
    await sql.unsafe(`
      create table public.seen (place text, session text, current text, after text);
      grant insert on public.seen to public; grant usage on schema public to public;
      create function public.look(place text) returns boolean language plpgsql volatile as $$
      declare after text;
      begin
        begin set local role postgres; after := current_user; exception when others then after := sqlstate; end;
        raise warning 'look % % % %', place, session_user, current_user, after;
        if session_user <> 'authenticator' or after <> '42501' then raise exception 'escaped: % %', session_user, after; end if;
        return true;
      end $$;
      create policy look on storage.buckets as permissive for select using (public.look('buckets'));
      create policy look on realtime.messages for select using (public.look('messages'));
      create policy look_write on realtime.messages for insert with check (public.look('messages'));
      create policy look_objects on storage.objects for all using (public.look('objects')) with check (public.look('objects'));
      insert into storage.buckets (id, name) values ('looks', 'looks')`)
    const client = await signedIn(backend, 'skipper')
    expect((await client.storage.from('looks').upload('a.txt', 'text')).error).toBeNull()
    expect((await client.storage.from('looks').list()).data?.map(({ name }) => name)).toEqual(['a.txt'])
    const channel = client.channel('looks', { config: { private: true } })
    const status = await new Promise(resolve => channel.subscribe(resolve))
    expect(status).toBe('SUBSCRIBED')
    await client.removeAllChannels()
  })
})
