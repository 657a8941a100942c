// What a stolen data folder contains: no readable password, token, one-time code or authenticator secret.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startBackend } from '../../../backend/index.ts'
import { CHEAP, officialClient } from '../../harness/backend.ts'
import { mailTo } from '../../harness/mail.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-at-rest-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function filesThatHold(texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(name =>
    statSync(join(dir, name)).isFile(),
  )
  const found: Record<string, string[]> = Object.fromEntries(Object.keys(texts).map(kind => [kind, []]))
  for (const name of files) {
    const bytes = readFileSync(join(dir, name))
    for (const [kind, text] of Object.entries(texts)) if (bytes.includes(text)) found[kind]?.push(name)
  }
  return found
}

test('no secret of a user lies readable in the data folder', async () => {
  const backend = await startBackend({ data: { dir }, auth: CHEAP })
  const [email, password] = ['at-rest@harbour.test', 'p4ssword-that-is-kept-nowhere']
  const client = officialClient(backend)
  const { data: signedUp } = await client.auth.signUp({ email, password })
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' })
  await client.auth.resetPasswordForEmail(email)
  const { tokenHash = '' } = mailTo(backend, email)
  await backend.stop()

  const secrets = {
    password,
    accessToken: signedUp.session?.access_token ?? '',
    refreshToken: signedUp.session?.refresh_token ?? '',
    authenticatorSecret: factor?.totp.secret ?? '',
    emailLink: tokenHash,
  }
  for (const [kind, secret] of Object.entries(secrets))
    expect([kind, secret.length > 8]).toEqual([kind, true])
  const found = filesThatHold({ ...secrets, email })
  expect(found).toMatchObject(Object.fromEntries(Object.keys(secrets).map(kind => [kind, []])))
  // The address is not secret: it proves that the search works.
  expect(found['email']).not.toEqual([])
})
