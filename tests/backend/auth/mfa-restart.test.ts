// Factors persist across a restart, and their secrets are not readable on disk.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { expect, onTestFinished, test } from 'vitest'
import { startBackend } from '../../../backend/index.ts'
import { officialClient } from '../../harness/backend.ts'

const filesWith = async (dir: string, text: string) => {
  const files = await readdir(dir, { recursive: true, withFileTypes: true })
  const found = await Promise.all(
    files
      .filter(file => file.isFile())
      .map(async file =>
        (await readFile(join(file.parentPath, file.name))).includes(text) ? [file.name] : [],
      ),
  )
  return found.flat()
}

test('enroll, restart, sign in with both factors', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-mfa-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const account = { email: 'kept@sea.test', password: 'harbour-demo' }

  const first = await startBackend({ data: { dir } })
  const { auth } = officialClient(first)
  await auth.signUp(account)
  const { data: factor } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  const { id = '', totp } = factor ?? {}
  const code = () => new TOTP({ secret: totp?.secret ?? '' }).generate()
  expect((await auth.mfa.challengeAndVerify({ factorId: id, code: code() })).error).toBe(null)
  await first.stop()

  // The address is in the table files, which proves that the search works; the secret is not.
  expect(await filesWith(dir, account.email)).not.toEqual([])
  expect(await filesWith(dir, totp?.secret ?? '')).toEqual([])

  const second = await startBackend({ data: { dir } })
  onTestFinished(() => second.stop())
  const again = officialClient(second).auth
  await again.signInWithPassword(account)
  expect((await again.mfa.challengeAndVerify({ factorId: id, code: code() })).error).toBe(null)
  expect((await again.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
})
