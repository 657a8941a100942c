// The session of REST is `authenticator`, which no SQL leaves: each attempt has the outcome that a PostgreSQL server gives
// to a client that logs in as `authenticator` and does what PostgREST does.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { startPlainServer } from '../../harness/plain-server.ts'
import { type Attempts, openAttempts, outcomeOf, type Way, WAYS } from './attempted-escapes.ts'
import { ESCAPES, ESCAPE_SCHEMA } from './escapes.ts'
import { sessionTests } from './session-tests.ts'

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

const known = new Map<string, Promise<unknown>>()
const expected = (statement: string, way: Way) => {
  const key = `${way} ${statement}`
  const outcome = known.get(key) ?? onServer(statement, way)
  known.set(key, outcome)
  return outcome
}

describe.for(['pglite', 'postgres'] as const)('%s', engine => {
  let backend: Backend
  let attempts: Attempts

  beforeAll(async () => {
    backend = await startTestBackend({ engine, databaseAccess: {} })
    attempts = await openAttempts(backend)
  }, 60_000)

  test.for(WAYS)(
    'by %s, an attempt to leave the role ends as on a PostgreSQL server',
    { timeout: 240_000 },
    async way => {
      for (const statement of ESCAPES) {
        const [is, should] = [await attempts.attempt(statement, way), await expected(statement, way)]
        expect.soft({ statement, outcome: is }).toEqual({ statement, outcome: should })
      }
    },
  )

  sessionTests(() => ({ backend, sql: attempts.sql }))
})
