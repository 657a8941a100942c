// auth.uid() and similar functions: they identify the caller only by the claims, as set by psql and pgTAP.
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
afterAll(() => sql.end())

const claims = {
  sub: '3f0c8a51-7f1e-4d4b-9b38-6f2f6d6f9a10',
  role: 'authenticated',
  email: 'pilot@harbour.test',
  aal: 'aal2',
}
const QUESTION = 'select auth.uid(), auth.role(), auth.email(), auth.jwt()'
const known = { uid: claims.sub, role: claims.role, email: claims.email, jwt: claims }

test('the claims setting is sufficient', async () => {
  const [answer] = await sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
    return tx.unsafe(QUESTION)
  })
  expect(answer).toEqual(known)
})

test('a single claim setting is sufficient too and takes precedence', async () => {
  const [answer] = await sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ ...claims, sub: 'nobody' })}, true),
      set_config('request.jwt.claim.sub', ${claims.sub}, true)`
    return tx`select auth.uid()`
  })
  expect(answer).toEqual({ uid: claims.sub })
})

test('without claims there is no user', async () => {
  const [answer] = await sql.unsafe(QUESTION)
  expect(answer).toEqual({ uid: null, role: null, email: null, jwt: null })
})
