// SQL of a project that the backend runs without a request, such as hooks and jobs, does not leave its login.
import { expect, test } from 'vitest'
import { isContained } from './attempted-escapes.ts'
import { AUTH_ADMIN, JOB_USER, startOwnerCode } from './owner-code.ts'

const { ofHook, ofJob } = await startOwnerCode()

const WAYS = [
  { what: 'an auth hook', login: AUTH_ADMIN, outcomes: ofHook },
  { what: 'a job', login: JOB_USER, outcomes: ofJob },
]

// The outcomes of a PostgreSQL server are those of owner-code.deep.test.ts.
test.for(WAYS)('no attempt of $what leaves its login', { timeout: 120_000 }, async ({ login, outcomes }) => {
  const escaped = (await outcomes()).filter(({ outcome }) => !isContained(outcome, login))
  expect(escaped).toEqual([])
})
