// Which versions of supabase-js are refused, by the header with which their clients introduce themselves.
import { createClient } from '@supabase/supabase-js'
import { createClient as createOld } from 'supabase-js-2-39'
import { expect, test } from 'vitest'
import { checkVersion, refusalOf } from '../../../src/services/client/official/supabase-version.ts'
import { KEY, URL_BASE } from '../../harness/fake-backend.ts'

const headersOf = (client: object) => (client as { readonly headers: Record<string, string> }).headers

test.each([
  ['supabase-js/1.35.7', '1.35.7'],
  ['supabase-js/2.0.0', '2.0.0'],
  ['supabase-js-web/2.58.0', '2.58.0'],
  ['supabase-js-react-native/2.99.3', '2.99.3'],
  ['supabase-js-node/2.99.0-next.1; runtime=node', '2.99.0-next.1'],
])('%s is too old', (info, version) => {
  expect(refusalOf(info)).toBe(
    `Chartroom needs @supabase/supabase-js 2.100 or newer, but the app has ${version}: npm install @supabase/supabase-js@latest`,
  )
})

test.each([
  'supabase-js-web/2.100.0',
  'supabase-js/2.119.0; runtime=node; runtime-version=24.21.0',
  'supabase-js-node/3.0.0-next.29',
  'supabase-js/10.0.0',
  'supabase-js/0.0.0-automated',
  'my-app',
  undefined,
])('%s is used', info => {
  expect(refusalOf(info)).toBeNull()
})

test('real clients have this header', () => {
  const old = createOld(URL_BASE, KEY, { auth: { persistSession: false, autoRefreshToken: false } })
  expect(refusalOf(headersOf(old)['X-Client-Info'])).toContain('the app has 2.39.8')
  const present = createClient(URL_BASE, KEY, { accessToken: () => Promise.resolve(null) })
  expect(headersOf(present)['X-Client-Info']).toMatch(/^supabase-js\/2\.1\d\d\./)
  expect(checkVersion).not.toThrow()
})
