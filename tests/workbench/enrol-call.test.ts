// Enrolling a second factor again, after a lost response.
import { expect, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { enrolApp } from '../../src/services/workbench/accounts/index.ts'

type Status = 'verified' | 'unverified'

/** A server with factors by name. */
function withFactors(factors: Map<string, Status>) {
  const calls: string[] = []
  const conflict = { __isAuthError: true, code: 'mfa_factor_name_conflict', status: 422, message: 'Exists' }
  const mfa = {
    enroll: ({ friendlyName }: { friendlyName: string }) => {
      calls.push(`enrol ${friendlyName}`)
      if (factors.has(friendlyName)) return Promise.resolve({ data: null, error: conflict })
      factors.set(friendlyName, 'unverified')
      return Promise.resolve({ data: { id: friendlyName }, error: null })
    },
    listFactors: () => {
      const all = [...factors].map(([name, status]) => ({ id: name, friendly_name: name, status }))
      return Promise.resolve({ data: { all }, error: null })
    },
    unenroll: ({ factorId }: { factorId: string }) => {
      calls.push(`remove ${factorId}`)
      factors.delete(factorId)
      return Promise.resolve({ data: { id: factorId }, error: null })
    },
  }
  const client = {
    supabase: { auth: { mfa } },
    status: () => ({ session: { phase: 'authenticated' } }),
  } as unknown as ChartroomClient
  return { client, calls }
}

test('what an earlier try left behind is replaced', async () => {
  const { client, calls } = withFactors(new Map([['My phone', 'unverified']]))
  expect(await enrolApp(client, 'My phone')).toMatchObject({ ok: true, value: { id: 'My phone' } })
  expect(calls).toEqual(['enrol My phone', 'remove My phone', 'enrol My phone'])
})

test('a verified factor stays, and its name is taken', async () => {
  const { client, calls } = withFactors(new Map([['My phone', 'verified']]))
  expect(await enrolApp(client, 'My phone')).toMatchObject({
    ok: false,
    failure: { code: 'mfa_factor_name_conflict' },
  })
  expect(calls).toEqual(['enrol My phone'])
})
