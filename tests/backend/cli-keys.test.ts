// A backend with the well-known keys of the Supabase CLI's local stack responds like that stack.
import { expect, test } from 'vitest'
import { CLI_KEYS } from '../../backend/keys/cli-keys.ts'
import { startTestBackend } from '../harness/backend.ts'

const ANON_KEY =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0'

const local = await startTestBackend({ keys: 'cli' })
const own = await startTestBackend()

const status = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).status

test('its anonymous key is accepted everywhere, and only there', async () => {
  expect(local.publishableKey).toBe(CLI_KEYS.publishableKey)
  expect(await status(`${local.url}/rest/v1/vessels`, { apikey: ANON_KEY })).toBe(200)
  expect(await status(`${own.url}/rest/v1/vessels`, { apikey: ANON_KEY })).toBe(401)
  expect(await status(`${own.url}/rest/v1/vessels`, { apikey: CLI_KEYS.secretKey })).toBe(401)
})

test('its auth requires no key, but permissions still apply', async () => {
  expect(await status(`${local.url}/auth/v1/settings`)).toBe(200)
  expect(await status(`${local.url}/auth/v1/settings`, { apikey: 'sb_publishable_wrong' })).toBe(401)
  expect(await status(`${local.url}/auth/v1/admin/users`)).toBe(401)
  expect(await status(`${local.url}/rest/v1/vessels`)).toBe(200)
  expect(await status(`${local.url}/rest/v1/log_entries`, { authorization: `Bearer ${ANON_KEY}` })).toBe(200)
  expect(await status(`${own.url}/rest/v1/vessels`)).toBe(401)
  expect(await status(`${own.url}/auth/v1/settings`)).toBe(401)
})

test('storage takes a token without a key, and names what is missing', async () => {
  const list = (url: string, authorization?: string) =>
    fetch(`${url}/storage/v1/bucket`, { headers: { ...(authorization && { authorization }) } })
  expect((await list(local.url, `Bearer ${CLI_KEYS.secretKey}`)).status).toBe(200)
  expect((await list(own.url, `Bearer ${own.secretKey}`)).status).toBe(200)
  expect((await list(own.url)).status).toBe(401)
  expect(await (await list(local.url)).json()).toMatchObject({
    message: 'Invalid Compact JWS',
  })
})
