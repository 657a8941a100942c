// The session of REST is `authenticator`, which no SQL leaves; what remains of an attempt reaches no other caller.
import { expect, test } from 'vitest'
import { startOwnBackend } from '../../harness/backend.ts'
import { isContained, openAttempts, WAYS } from './attempted-escapes.ts'
import { ESCAPES } from './escapes.ts'
import { sessionTests } from './session-tests.ts'

const backend = await startOwnBackend({ databaseAccess: {} })
const { sql, attempt } = await openAttempts(backend)

// The outcomes of a PostgreSQL server are those of session-user.deep.test.ts.
test.for(WAYS)('by %s, no attempt leaves the session of `authenticator`', async way => {
  // All of them by one way, and each by one of the others.
  const others = WAYS.filter(one => one !== 'rpc')
  const tried = ESCAPES.filter((_, at) => way === 'rpc' || others[at % others.length] === way)
  const escaped: unknown[] = []
  for (const statement of tried) {
    const outcome = await attempt(statement, way)
    if (!isContained(outcome, 'authenticator')) escaped.push({ statement, outcome })
  }
  expect(escaped).toEqual([])
})

test('the check finds a statement of the owner', async () => {
  const [{ outcome } = {}] = await sql`select public.attempt('select 1') as outcome`
  expect(outcome).toMatchObject({ state: { session: 'postgres' } })
  expect(isContained(outcome, 'authenticator')).toBe(false)
})

sessionTests(() => ({ backend, sql }))
