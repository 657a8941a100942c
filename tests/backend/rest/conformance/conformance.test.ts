// What PostgREST 14 answers, by its documentation: each request runs on the fixture's own rows.
import { SignJWT } from 'jose'
import postgres from 'postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { CLI_KEYS } from '../../../../backend/keys/index.ts'
import { startOwnBackend } from '../../../harness/backend.ts'
import { noticedBy } from '../world.ts'
import { CASES } from './all-cases.ts'
import type { Case, Expected } from './case.ts'
import { FIXTURE, RESET, ROWS } from './fixture.sql.ts'

const backend = await startOwnBackend({ databaseAccess: {}, keys: 'cli' })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => {} })
afterAll(() => sql.end())
await sql.unsafe(FIXTURE)
const rowsAtFirst = [...(await sql.unsafe(ROWS))]

const token = await new SignJWT({
  role: 'authenticated',
  sub: '1',
  email: 'ann@example.com',
  nested: { a: [1] },
})
  .setProtectedHeader({ alg: 'HS256' })
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(CLI_KEYS.jwtSecret))

const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anon: { apikey: backend.publishableKey },
  authenticated: { apikey: backend.publishableKey, authorization: `Bearer ${token}` },
  service_role: { apikey: backend.secretKey },
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

async function send({ request }: Case): Promise<Response> {
  const { method = 'GET', path, headers = {}, body, role = 'anon' } = request
  const all = new Headers(KEYS[role])
  const bodyInit =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  if (bodyInit !== undefined) all.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(headers)) {
    all.delete(name)
    for (const one of typeof value === 'string' ? [value] : value) all.append(name, one)
  }
  return fetch(`${backend.url}/rest/v1${path}`, {
    method,
    headers: all,
    redirect: 'manual',
    ...(bodyInit === undefined ? {} : { body: bodyInit as BodyInit }),
  })
}

/** Its parts that differ from what is expected, a line each. */
function differences(response: Response, body: string, expected: Expected): string[] {
  const found: string[] = []
  const compare = (what: string, actual: unknown, wanted: unknown) => {
    const isEqual = wanted instanceof RegExp ? wanted.test(String(actual)) : isSame(actual, wanted)
    if (!isEqual) found.push(`${what}: ${shown(actual)} instead of ${shown(wanted)}`)
  }
  const { status, json, part, text, headers = {}, error } = expected
  compare('status', response.status, status)
  if ('json' in expected) compare('body', parsed(body), json)
  if (text !== undefined) compare('body', body, text)
  if ('part' in expected)
    for (const [path, actual, wanted] of lacking(parsed(body), part)) compare(`body${path}`, actual, wanted)
  for (const [name, value] of Object.entries(headers)) compare(name, response.headers.get(name), value)
  if (!error) return found
  const { code, message, details, hint } = error
  const { code: aCode, message: aMessage, details: aDetails, hint: aHint, ...others } = Object(parsed(body))
  compare('code', aCode, code)
  if (message !== undefined) compare('message', aMessage, message)
  if (details !== undefined) compare('details', inOrder(aDetails), inOrder(details))
  if (hint !== undefined) compare('hint', aHint, hint)
  compare('other members', others, {})
  compare('proxy-status', response.headers.get('proxy-status'), `PostgREST; error=${code}`)
  compare('content-type', response.headers.get('content-type'), 'application/json; charset=utf-8')
  return found
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.toSorted((a, b) => JSON.stringify(sorted(a)).localeCompare(JSON.stringify(sorted(b))))
    : value

const sorted = (value: unknown) => Object.entries(Object(value)).toSorted(([a], [b]) => a.localeCompare(b))

function isSame(actual: unknown, wanted: unknown): boolean {
  try {
    expect(actual).toEqual(wanted)
    return true
  } catch {
    return false
  }
}

/** Where a value lacks a part; an object names some members of an object, or elements of an array by their index. */
function lacking(
  actual: unknown,
  part: unknown,
  path = '',
): (readonly [path: string, actual: unknown, wanted: unknown])[] {
  if (typeof part !== 'object' || part === null) return isSame(actual, part) ? [] : [[path, actual, part]]
  if (Array.isArray(part) && (!Array.isArray(actual) || actual.length !== part.length))
    return [[path, actual, part]]
  return Object.entries(part).flatMap(([name, wanted]) => {
    const has = typeof actual === 'object' && actual !== null && Object.hasOwn(actual, name)
    return lacking(has ? Reflect.get(actual, name) : undefined, wanted, `${path}.${name}`)
  })
}

/** Short enough for a line. */
function shown(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

async function setSettings(settings: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const before = await sql<{ name: string; value: string }[]>`
    select split_part(s, '=', 1) as name, substr(s, strpos(s, '=') + 1) as value
    from pg_db_role_setting, unnest(setconfig) s where setrole = to_regrole('authenticator')`
  const apply = async (name: string, value: string | undefined) =>
    sql.unsafe(
      value === undefined
        ? `alter role authenticator reset pgrst.${name}`
        : `alter role authenticator set pgrst.${name} = '${value}'`,
    )
  const reload = async () => {
    await sql`notify pgrst, 'reload config'`
    await noticedBy(backend, sql)
  }
  for (const [name, value] of Object.entries(settings)) await apply(name, value)
  await reload()
  return async () => {
    for (const name of Object.keys(settings)) {
      await apply(name, before.find(one => one.name === `pgrst.${name}`)?.value)
    }
    await reload()
  }
}

async function run(one: Case): Promise<string[]> {
  const { method = 'GET' } = one.request
  const putBack = one.settings && (await setSettings(one.settings))
  try {
    const response = await send(one)
    const found = differences(response, await response.text(), one.expect)
    if (one.after) {
      const rows = [...(await sql.unsafe(one.after.sql))]
      if (!isSame(rows, one.after.rows))
        found.push(`rows: ${shown(rows)} instead of ${shown(one.after.rows)}`)
    }
    return found
  } finally {
    await putBack?.()
    if (!READS.has(method)) await sql.unsafe(RESET)
  }
}

const nameOf = ({ name, request: { method = 'GET', path } }: Case) =>
  name === undefined ? `${method} ${path}` : `${name} · ${method} ${path}`

describe.each([...Map.groupBy(CASES, ({ section }) => section)])('%s', (_section, cases) => {
  test.each(cases.map(one => [nameOf(one), one] as const))('%s', async (_name, one) => {
    const found = await run(one)
    if (found.length === 0) return
    const error = new Error(found.join('\n'))
    // A line for each difference says more than where they are found.
    error.stack = error.message
    throw error
  })
})

test('the cases leave no changes', async () => {
  expect([...(await sql.unsafe(ROWS))]).toEqual(rowsAtFirst)
})

test('each case names its section', () => {
  expect(CASES.length).toBeGreaterThan(600)
  expect(CASES.filter(({ section }) => !/^\w+: .+$/.test(section))).toEqual([])
})
