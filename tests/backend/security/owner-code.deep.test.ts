// SQL of a project that the backend runs without a request, such as hooks and jobs: it ends as on a PostgreSQL server for a client
// that logs in as production's does.
import { expect, test } from 'vitest'
import { startPlainServer } from '../../harness/plain-server.ts'
import { ESCAPE_SCHEMA } from './escapes.ts'
import { AUTH_ADMIN, JOB_USER, startOwnerCode, TRIES } from './owner-code.ts'

const { connect } = await startPlainServer()
const owner = await connect('supabase_admin')
await owner.query(`
  create role anon nologin; create role service_role nologin bypassrls; create role ${JOB_USER} login;
  create role authenticator login noinherit; grant anon, authenticated, service_role to authenticator, postgres;
  create role ${AUTH_ADMIN} login noinherit;
  set session authorization postgres; ${ESCAPE_SCHEMA}${TRIES}`)
await owner.end()

async function onServer(role: string): Promise<unknown> {
  const client = await connect(role)
  try {
    return (await client.query<{ outcomes: unknown }>('select public.tries() as outcomes')).rows[0]?.outcomes
  } finally {
    await client.end()
  }
}

const { ofHook, ofJob } = await startOwnerCode()

test('an auth hook leaves its role as a client that logged in as the auth server does', async () => {
  expect(await ofHook()).toEqual(await onServer(AUTH_ADMIN))
}, 120_000)

test('a job leaves its role as a client that logged in as its user does', async () => {
  expect(await ofJob()).toEqual(await onServer(JOB_USER))
}, 120_000)
