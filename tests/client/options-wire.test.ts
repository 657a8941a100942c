// Each option of createClient on the wire: what the official client sends, and that ours sends the same.
import { createClient } from '@supabase/supabase-js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { optionRows } from '../../scripts/guide-options.ts'
import { createChartroomClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { RULES } from '../../src/services/client/option-rules.ts'
import { credentials } from '../harness/client.ts'
import { json, KEY, sessionBody } from '../harness/fake-backend.ts'
import type { OptionPath, OptionTests } from '../harness/option-wire.ts'
import { authOptions } from './options-wire/auth.ts'
import { dataOptions } from './options-wire/data.ts'
import { realtimeOptions } from './options-wire/realtime.ts'

/** The tests of each option. One that is added to the types does not compile without tests here. */
const TESTS: Readonly<Record<OptionPath, OptionTests>> = {
  ...dataOptions,
  ...authOptions,
  ...realtimeOptions,
}

describe.each(Object.entries(TESTS))('%s', (_, tests) => {
  test.each(Object.entries(tests))('%s', (_title, run) => run())
})

test('each row of the table in the guide has tests: here, or as a refused option', () => {
  const refused = Object.keys(RULES).filter(path => RULES[path]?.startsWith('!'))
  expect(
    optionRows()
      .filter(path => !refused.includes(path))
      .toSorted(),
  ).toEqual(Object.keys(TESTS).toSorted())
})

test('sessions carry over: from the official client, and back', async () => {
  for (const url of ['https://api.acme.test', 'http://127.0.0.1:54321', 'https://ref.supabase.co']) {
    const storage = memoryStorage()
    const fetch = () => Promise.resolve(json(sessionBody('first')))
    const first = createClient(url, KEY, { auth: { storage, autoRefreshToken: false }, global: { fetch } })
    await first.auth.signInWithPassword(credentials)
    const client = createChartroomClient(url, KEY, { auth: { storage }, global: { fetch } })
    onTestFinished(() => client.dispose())
    const taken = await client.supabase.auth.getSession()
    expect(taken.data.session).toMatchObject({ refresh_token: sessionBody('first').refresh_token })
    await client.auth.signInWithPassword(credentials)
    const again = createClient(url, KEY, { auth: { storage, autoRefreshToken: false }, global: { fetch } })
    const { data } = await again.auth.getSession()
    expect(data.session).toMatchObject({
      access_token: taken.data.session?.access_token,
      user: { id: 'skipper-id' },
    })
  }
})
