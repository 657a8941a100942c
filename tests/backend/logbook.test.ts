// The guide's app, with supabase-js and with Chartroom: the same steps on the same backend give the same
// display.
import { expect, test, vi } from 'vitest'
import { openLogbook as openAfter } from '../../examples/logbook/after.ts'
import { openLogbook as openBefore } from '../../examples/logbook/before.ts'
import type { Entry, Screen } from '../../examples/logbook/database.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { startTestBackend } from '../harness/backend.ts'

const { url, publishableKey, accounts } = await startTestBackend()
const [account = { email: '', password: '' }] = accounts

test.each([
  { name: 'supabase-js', open: openBefore, reason: 'unknown' },
  { name: 'Chartroom', open: openAfter, reason: 'userLocal' },
])('the logbook on $name', async ({ name, open, reason }) => {
  const shown = { notes: [] as readonly string[], signedOut: '', problems: [] as string[] }
  const screen: Screen = {
    showEntries: (entries: readonly Entry[]) => void (shown.notes = entries.map(({ note }) => note)),
    showSignedOut: why => void (shown.signedOut = why),
    showProblem: problem => void shown.problems.push(problem),
  }
  const logbook = open(url, publishableKey, memoryStorage(), screen)
  const other = open(url, publishableKey, memoryStorage(), { ...screen, showEntries: () => undefined })
  try {
    await logbook.signIn({ ...account, password: 'wrong' })
    expect(shown.problems.splice(0)).toEqual(['Invalid login credentials'])
    await logbook.signIn(account)
    await vi.waitFor(() => expect(shown.notes.length).toBeGreaterThan(0))
    await other.signIn(account)
    await other.add(`written with ${name}`)
    await vi.waitFor(() => expect(shown.notes.at(-1)).toBe(`written with ${name}`))
    await logbook.signOut()
    await vi.waitFor(() => expect(shown).toMatchObject({ signedOut: reason, problems: [] }))
  } finally {
    await Promise.all([logbook.close(), other.close()])
  }
})
