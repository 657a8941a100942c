// Apps registered with the OAuth server: create, read, change, delete, new secrets, and every wrong request.
import { createClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { ask, refusal } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({
  auth: { oauthServer: { enabled: true, allowDynamicRegistration: true } },
  databaseAccess: {},
})
const closed = await startTestBackend({ auth: { oauthServer: { enabled: true } } })
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const { oauth } = createClient(backend.url, backend.secretKey).auth.admin
const asServer = { apikey: backend.secretKey }
const send = (method: string, path: string, body?: unknown) =>
  ask(backend, method, `admin/oauth/clients${path}`, body, asServer)

const REDIRECTS = ['https://app.test/callback']
const create = async (fields: object = {}) => {
  const { status, body } = await send('POST', '', { client_name: 'App', redirect_uris: REDIRECTS, ...fields })
  if (status !== 201) throw new Error(`The client was refused with ${status}`)
  return body
}

describe('a client', () => {
  test('is created with a secret that is shown once', async () => {
    const { data, error } = await oauth.createClient({
      client_name: 'Chart plotter',
      client_uri: 'https://plotter.test',
      redirect_uris: ['https://plotter.test/callback', 'plotter://signed-in', 'http://localhost:3000/'],
    })
    expect(error).toBe(null)
    expect(data).toEqual({
      client_id: expect.stringMatching(/^[\da-f-]{36}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_type: 'confidential',
      redirect_uris: ['https://plotter.test/callback', 'plotter://signed-in', 'http://localhost:3000/'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'Chart plotter',
      client_uri: 'https://plotter.test',
      registration_type: 'manual',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const found = await oauth.getClient(data?.client_id ?? '')
    const { client_secret: secret, ...rest } = data ?? {}
    expect(secret).toEqual(expect.any(String))
    expect(found.data).toEqual(rest)
  })

  test.for([
    [{ client_type: 'public' }, 'none'],
    [{ token_endpoint_auth_method: 'none' }, 'none'],
  ] as const)('that is public has no secret: %j', async ([fields, method]) => {
    const client = await create(fields)
    expect(client).toMatchObject({ client_type: 'public', token_endpoint_auth_method: method })
    expect(client).not.toHaveProperty('client_secret')
    const renewed = await send('POST', `/${String(client['client_id'])}/regenerate_secret`)
    expect(refusal(renewed)).toEqual([400, 'validation_failed', 'Cannot regenerate secret for public client'])
  })

  test('is changed in the given fields only', async () => {
    const { client_id: id } = await create({ logo_uri: 'https://app.test/old.png' })
    const { data } = await oauth.updateClient(String(id), { logo_uri: 'https://app.test/new.png' })
    expect(data).toMatchObject({
      client_name: 'App',
      logo_uri: 'https://app.test/new.png',
      redirect_uris: REDIRECTS,
    })
    const changed = await send('PUT', `/${String(id)}`, {
      redirect_uris: ['https://other.test/'],
      grant_types: ['refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      client_name: '',
    })
    expect(changed.body).toMatchObject({
      redirect_uris: ['https://other.test/'],
      grant_types: ['refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    })
    expect(changed.body).not.toHaveProperty('client_name')
  })

  test('gets a new secret, and only its hash is stored', async () => {
    const { client_id: id, client_secret: first } = await create()
    const { data } = await oauth.regenerateClientSecret(String(id))
    expect(data?.client_secret).toMatch(/^[\w-]{43}$/)
    expect(data?.client_secret).not.toBe(first)
    const dump = JSON.stringify(await rows(`select to_jsonb(c) as row from auth.oauth_clients c`))
    expect(dump).toContain(String(id))
    expect(dump).not.toContain(data?.client_secret)
    expect(dump).not.toContain(String(first))
  })

  test('that is deleted is unknown to every route', async () => {
    const { client_id } = await create()
    const id = String(client_id)
    expect((await oauth.deleteClient(id)).error).toBe(null)
    const calls = [
      send('GET', `/${id}`),
      send('PUT', `/${id}`, { client_name: 'x' }),
      send('DELETE', `/${id}`),
      send('POST', `/${id}/regenerate_secret`),
    ]
    for (const call of calls)
      expect(refusal(await call)).toEqual([404, 'oauth_client_not_found', 'OAuth client not found'])
    expect((await oauth.listClients()).data.clients.map(client => client.client_id)).not.toContain(id)
  })

  test('is listed, newest first', async () => {
    const ids = [await create(), await create()].map(({ client_id }) => client_id)
    const listed = (await oauth.listClients()).data.clients.map(client => client.client_id)
    expect(listed.filter(id => ids.includes(id))).toEqual(ids.toReversed())
  })
})

async function rows(sql: string): Promise<unknown> {
  const { default: postgres } = await import('postgres')
  const connection = postgres(backend.databaseUrl ?? '', { max: 1 })
  try {
    return [...(await connection.unsafe(sql))]
  } finally {
    await connection.end()
  }
}

describe('a request is refused', () => {
  test.for<[string, object, string]>([
    ['no redirect', { redirect_uris: [] }, 'redirect_uris is required'],
    [
      'eleven redirects',
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://app.test/${n}`) },
      'redirect_uris cannot exceed 10 items',
    ],
    [
      'plain HTTP',
      { redirect_uris: ['http://app.test/'] },
      "invalid redirect_uri 'http://app.test/': HTTP scheme only allowed for localhost",
    ],
    [
      'a script',
      { redirect_uris: ['javascript://app.test/%0aalert(1)'] },
      "invalid redirect_uri 'javascript://app.test/%0aalert(1)': scheme 'javascript' is not allowed for security reasons",
    ],
    [
      'a fragment',
      { redirect_uris: ['https://app.test/#x'] },
      "invalid redirect_uri 'https://app.test/#x': fragment not allowed in redirect URI",
    ],
    [
      'a path',
      { redirect_uris: ['/callback'] },
      "invalid redirect_uri '/callback': must have scheme and host",
    ],
    [
      'two addresses in one',
      { redirect_uris: ['https://app.test/,https://evil.test/'] },
      "invalid redirect_uri 'https://app.test/,https://evil.test/': invalid URL format",
    ],
    [
      'an unknown grant',
      { grant_types: ['password'] },
      "grant_types must only contain 'authorization_code' and/or 'refresh_token'",
    ],
    ['an unknown type', { client_type: 'secret' }, "client_type must be 'public' or 'confidential'"],
    [
      'an unknown method',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]',
    ],
    [
      'a public client with a secret',
      { client_type: 'public', token_endpoint_auth_method: 'client_secret_post' },
      "client_type 'public' is inconsistent with token_endpoint_auth_method 'client_secret_post' (expected client_type 'confidential')",
    ],
    ['a long name', { client_name: 'x'.repeat(1_025) }, 'client_name cannot exceed 1024 characters'],
    ['a relative logo', { logo_uri: 'logo.png' }, 'logo_uri must be a valid URL'],
    [
      'a long address',
      { client_uri: `https://app.test/${'x'.repeat(2_048)}` },
      'client_uri cannot exceed 2048 characters',
    ],
  ])('with %s', async ([, fields, message]) => {
    const answer = await send('POST', '', { client_name: 'App', redirect_uris: REDIRECTS, ...fields })
    expect(refusal(answer)).toEqual([400, 'validation_failed', message])
  })

  test('with the wrong types, or none', async () => {
    expect((await send('POST', '', { redirect_uris: 'https://app.test/' })).body['error_code']).toBe(
      'bad_json',
    )
    expect((await send('POST', '', '[')).body['error_code']).toBe('bad_json')
    expect(refusal(await send('POST', '', {}))[2]).toBe('redirect_uris is required')
  })

  test.for<[object, string]>([
    [{}, 'No fields provided for update'],
    [{ redirect_uris: [] }, 'redirect_uris cannot be empty'],
    [{ grant_types: [] }, 'grant_types cannot be empty'],
    [
      { token_endpoint_auth_method: 'none' },
      "token_endpoint_auth_method 'none' is not valid for client_type 'confidential'; valid methods: [client_secret_basic client_secret_post]",
    ],
  ])('to change %j', async ([fields, message]) => {
    const { client_id: id } = await create()
    expect(refusal(await send('PUT', `/${String(id)}`, fields))).toEqual([400, 'validation_failed', message])
  })

  test('for an unknown client, or none', async () => {
    expect(refusal(await send('GET', `/${UNKNOWN}`))).toEqual([
      404,
      'oauth_client_not_found',
      'OAuth client not found',
    ])
    expect(refusal(await send('GET', '/x'))).toEqual([400, 'validation_failed', 'invalid client_id format'])
  })

  test('from anyone but a server', async () => {
    const answer = await ask(backend, 'POST', 'admin/oauth/clients', { redirect_uris: REDIRECTS })
    expect(answer.status).toBe(403)
    expect(answer.body['error_code']).toBe('not_admin')
  })
})

describe('dynamic registration', () => {
  const wanted = { client_name: 'Agent', redirect_uris: ['http://127.0.0.1:8080/callback'] }

  test('needs no key of a server', async () => {
    const { status, body } = await ask(backend, 'POST', 'oauth/clients/register', wanted)
    expect([status, body['registration_type']]).toEqual([201, 'dynamic'])
    expect((await oauth.getClient(String(body['client_id']))).data?.client_name).toBe('Agent')
  })

  test('is refused where it is off', async () => {
    expect(refusal(await ask(closed, 'POST', 'oauth/clients/register', wanted))).toEqual([
      403,
      'oauth_dynamic_client_registration_disabled',
      'Dynamic client registration is not enabled',
    ])
  })
})

test.for([
  ['GET', 'oauth/authorize'],
  ['POST', 'oauth/token'],
  ['GET', '.well-known/oauth-authorization-server'],
] as const)('%s %s says that there are no sign-ins', async ([method, path]) => {
  expect(refusal(await ask(backend, method, path))).toEqual([
    404,
    'feature_disabled',
    'Sign-ins with the OAuth server do not exist in this backend; it only registers clients',
  ])
})
