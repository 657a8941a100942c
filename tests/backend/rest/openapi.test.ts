// The OpenAPI root: exactly what the caller's role may read, write and call.
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { startWorld } from './world.ts'

const { ask, backend, sql, noticed } = await startWorld(`
  create table boats (id int primary key, name varchar(20) not null, draught numeric, tags text[], extra jsonb);
  comment on table boats is 'All boats.';
  create table shut (id int);
  revoke all on shut from anon;
  revoke insert, update, delete on boats from anon;
  create function sail(boat int, knots double precision default 5) returns int language sql stable as 'select 1';
  create function sink(boat int) returns void language sql as '';
  create function hidden() returns int language sql as 'select 1';
  revoke execute on function hidden from public, anon, authenticated;
`)

/** The root is open to the secret key; the token is that of the role to describe it for. */
const asAnon = { authorization: `Bearer ${backend.publishableKey}` }
const root = (headers: Record<string, string> = {}) =>
  ask('GET', '', { key: backend.secretKey, headers: { ...asAnon, ...headers } })
const describe = async () => Object((await root()).body)

test('the root is closed to publishable keys and users, as in hosted projects', async () => {
  expect(await ask('GET', '')).toMatchObject({
    status: 401,
    body: {
      message: 'Secret API key required',
      hint: 'Only secret API keys can be used for this endpoint.',
    },
  })
  const claims = { role: 'anon', exp: Math.floor(Date.now() / 1_000) + 60 }
  const legacy = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(CLI_KEYS.jwtSecret))
  const local = await startTestBackend({ keys: 'cli' })
  const answer = await fetch(`${local.url}/rest/v1/`, { headers: { apikey: legacy } })
  expect([answer.status, await answer.json()]).toEqual([
    401,
    {
      message: 'Invalid API key',
      hint: 'Only the `service_role` API key can be used for this endpoint.',
    },
  ])
  // Without a key, which this stack does not need elsewhere.
  expect((await fetch(`${local.url}/rest/v1/`)).status).toBe(401)
  const withSecret = await fetch(`${local.url}/rest/v1/`, { headers: { apikey: local.secretKey } })
  expect(withSecret.status).toBe(200)
  // Names of tables are still suggested, as PostgREST does.
  expect((await ask('GET', 'boat')).body).toMatchObject({
    code: 'PGRST205',
    hint: "Perhaps you meant the table 'public.boats'",
  })
})

test('the backend describes to same-origin pages what signed-in users may use', async () => {
  const response = await fetch(`${backend.url}/_chartroom/schema`)
  const file = Object(await response.json())
  expect([file.format, file.version]).toEqual(['chartroom-schema', 1])
  expect(Object.keys(file.schemas)).toContain('public')
  const { paths, definitions } = file.schemas.public
  expect(Object.keys(paths['/boats'])).toEqual(['get', 'post', 'patch', 'delete'])
  expect(definitions.vessels.properties.id.description).toContain('<pk/>')
  expect(paths['/rpc/hidden']).toBeUndefined()
  const foreign = await fetch(`${backend.url}/_chartroom/schema`, {
    headers: { origin: 'http://localhost:1' },
  })
  expect(foreign.status).toBe(403)
})

test('another served schema describes itself, an unserved one is rejected', async () => {
  await sql`create table graphql_public.charts (id int primary key, name text)`
  await sql`grant select on graphql_public.charts to anon`
  await noticed()
  const of = async (schema: string) => root({ 'accept-profile': schema })
  const { definitions, paths } = Object((await of('graphql_public')).body)
  expect(Object.keys(definitions)).toEqual(['charts'])
  expect(paths['/boats']).toBe(undefined)
  const refused = await of('auth')
  expect([refused.status, Object(refused.body)['code']]).toEqual([406, 'PGRST106'])
})

test('has tables, their columns and the permitted methods', async () => {
  const { definitions, paths } = await describe()
  expect(definitions.boats).toEqual({
    description: 'All boats.',
    required: ['id', 'name'],
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
      name: { type: 'string', format: 'character varying', maxLength: 20 },
      draught: { type: 'number', format: 'numeric' },
      tags: { type: 'array', items: {}, format: 'text[]' },
      extra: { format: 'jsonb' },
    },
    'x-chartroom': { generated: {}, denied: {} },
  })
  expect([Object.keys(paths['/boats']), definitions.shut, paths['/shut']]).toEqual([
    ['get'],
    undefined,
    undefined,
  ])
  const names = paths['/boats'].get.parameters.map((parameter: { name: string }) => parameter.name)
  expect(names.join()).toBe('id,name,draught,tags,extra,select,order,offset,limit,Range,Prefer')
})

test('has functions with their parameters; those without side effects allow GET', async () => {
  const { paths } = await describe()
  expect(Object.keys(paths['/rpc/sail'])).toEqual(['get', 'post'])
  expect(Object.keys(paths['/rpc/sink'])).toEqual(['post'])
  expect(paths['/rpc/hidden']).toBeUndefined()
  expect(paths['/rpc/sail'].post.parameters).toEqual([
    {
      name: 'args',
      in: 'body',
      required: true,
      schema: {
        type: 'object',
        required: ['boat'],
        properties: {
          boat: { type: 'integer', format: 'integer' },
          knots: { type: 'number', format: 'double precision' },
        },
      },
    },
  ])
})

test('another role sees more', async () => {
  const { paths } = Object((await ask('GET', '', { key: backend.secretKey })).body)
  expect([Object.keys(paths['/boats']), Object.keys(paths['/shut'])]).toEqual([
    ['get', 'post', 'patch', 'delete'],
    ['get', 'post', 'patch', 'delete'],
  ])
})

test('follows schema changes and only accepts reads', async () => {
  await sql`create table fresh (id int)`
  await noticed()
  expect(Object.keys((await describe()).paths)).toContain('/fresh')
  const { status, body } = await ask('POST', '', { body: {} })
  expect([status, Reflect.get(Object(body), 'code')]).toEqual([405, 'PGRST117'])
})
