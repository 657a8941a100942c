// The data directory: its lock, its layout and the secrets that persist across restarts.
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { JWK } from 'jose'
import { takeLock } from './data-lock.ts'
import { fieldOf, textOf } from './fields.ts'
import { finishImport } from './staged-import.ts'

/** Keys of one backend. Only the publishable key is public. */
export interface Secrets {
  readonly publishableKey: string
  readonly secretKey: string
  /** Verifies tokens that are signed with HS256. */
  readonly jwtSecret: string
  /** Signs access tokens: a private key for ES256. */
  readonly signingKey: JWK
  /** Root of the keys that encrypt stored values and derive refresh tokens. */
  readonly encryptionKey: string
}

export interface DataDirectory {
  readonly path: string
  readonly database: string
  readonly objects: string
  readonly secrets: Secrets
  release(): void
}

export function generateSecrets(): Secrets {
  return {
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(24).toString('base64url')}`,
    jwtSecret: randomBytes(48).toString('base64url'),
    ...generateSigningSecrets(),
  }
}

function generateSigningSecrets(): Pick<Secrets, 'signingKey' | 'encryptionKey'> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' })
  if (!kty || !crv || !x || !y || !d) throw new Error('Failed to create a signing key')
  return {
    signingKey: { kty, crv, x, y, d, kid: randomUUID(), alg: 'ES256' },
    encryptionKey: randomBytes(32).toString('base64url'),
  }
}

/** Where a data directory caches rendered images, which can be rendered again. */
export function renderedFolder(path: string): string {
  return join(path, 'rendered')
}

/** Creates or opens a data directory and takes its lock. */
export function openDataDirectory(dir: string): DataDirectory {
  const path = resolve(dir)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  closeToOthers(path)
  const release = takeLock(path)
  try {
    finishImport(path)
    return {
      path,
      database: join(path, 'database'),
      objects: join(path, 'objects'),
      secrets: readSecrets(join(path, 'secrets.json')),
      release,
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Removes access for other users of the machine; a folder that is shared by design (sticky bit) is left
 * unchanged.
 */
function closeToOthers(path: string): void {
  const { mode } = statSync(path)
  if ((mode & 0o077) === 0 || process.platform === 'win32') return
  try {
    if (mode & 0o1000) throw new Error('it is a shared folder')
    chmodSync(path, 0o700)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.emitWarning(`Other users may read the data in ${path}: ${reason}. Use a private folder.`)
  }
}

function readSecrets(file: string): Secrets {
  if (!existsSync(file)) {
    const secrets = generateSecrets()
    replaceFile(file, JSON.stringify(secrets, null, 2))
    return secrets
  }
  const parsed: unknown = parseJson(readFileSync(file, 'utf8'))
  if (isSecrets(parsed)) return parsed
  if (isFirstSecrets(parsed)) {
    const secrets = { ...parsed, ...generateSigningSecrets() }
    replaceFile(file, JSON.stringify(secrets, null, 2))
    return secrets
  }
  throw new Error(`${file} is damaged. Delete it to create new keys; all users must then sign in again.`)
}

function isSecrets(value: unknown): value is Secrets {
  const hasKey = Boolean(textOf(fieldOf(value, 'signingKey'), 'd'))
  return isFirstSecrets(value) && hasKey && Boolean(textOf(value, 'encryptionKey'))
}

/** The secrets file format of the first versions. */
function isFirstSecrets(
  value: unknown,
): value is Pick<Secrets, 'publishableKey' | 'secretKey' | 'jwtSecret'> {
  return ['publishableKey', 'secretKey', 'jwtSecret'].every(field => Boolean(textOf(value, field)))
}

/** Replaces a file atomically: after a kill or on a full disk, the old file is intact. */
function replaceFile(file: string, text: string): void {
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  writeFileSync(partial, text, { mode: 0o600 })
  renameSync(partial, file)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
