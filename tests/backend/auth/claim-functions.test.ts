// auth.uid() and its like: they know the caller by the claims alone, as psql and pgTAP set them.
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

test('claims set alone are enough', async () => {
  const [answer] = await sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
    return tx.unsafe(QUESTION)
  })
  expect(answer).toEqual(known)
})

test('so is each claim by itself, which goes before', async () => {
  const [answer] = await sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ ...claims, sub: 'nobody' })}, true),
      set_config('request.jwt.claim.sub', ${claims.sub}, true)`
    return tx`select auth.uid()`
  })
  expect(answer).toEqual({ uid: claims.sub })
})

test('without any there is nobody', async () => {
  const [answer] = await sql.unsafe(QUESTION)
  expect(answer).toEqual({ uid: null, role: null, email: null, jwt: null })
})
