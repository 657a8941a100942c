// `npm start` twice with one data folder: what persists.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { atTestEnd } from '../harness/endings.ts'
import { addressOf, configOf, start } from './started.ts'

test('data persists across a restart', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-start-'))
  atTestEnd(() => rm(dir, { recursive: true, force: true }))
  const before = start('--port', '0', '--data', dir)
  const { url, key } = await configOf(await addressOf(before))
  const account = { email: 'purser@harbour.test', password: 'a-long-enough-passphrase' }
  expect((await createClient(url, key).auth.signUp(account)).error).toBeNull()
  expect(await before.signal('SIGINT')).toEqual({ code: 0, signal: null })

  const after = start('--port', '0', '--data', dir)
  const next = await configOf(await addressOf(after))
  expect(next.key).toBe(key)
  const { data, error } = await createClient(next.url, next.key).auth.signInWithPassword(account)
  expect({ email: data.user?.email, error }).toEqual({ email: account.email, error: null })
  expect(after.output).toContain(`${dir} (persistent)`)
})
