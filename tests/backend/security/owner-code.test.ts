// SQL of a project that the backend runs without a request, such as hooks and jobs, does not leave its login.
import { expect, test } from 'vitest'
import { isContained } from './attempted-escapes.ts'
import { AUTH_ADMIN, JOB_USER, startOwnerCode } from './owner-code.ts'

const { ofHook, ofJob } = await startOwnerCode()

// The outcomes of a PostgreSQL server are those of owner-code.deep.test.ts.
test.for([
  ['an auth hook', AUTH_ADMIN, ofHook],
  ['a job', JOB_USER, ofJob],
] as const)(
  'no attempt of %s leaves its login',
  async ([, login, outcomes]) => {
    const escaped = (await outcomes()).filter(({ outcome }) => !isContained(outcome, login))
    expect(escaped).toEqual([])
  },
  120_000,
)
