// The data directory: its lock, its layout and the secrets that outlive a restart.
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { JWK } from 'jose'
import { fieldOf, textOf } from './fields.ts'

/** Keys of one backend. The publishable key is no secret; the others are. */
export interface Secrets {
  readonly publishableKey: string
  readonly secretKey: string
  /** Checks tokens that are signed with HS256. */
  readonly jwtSecret: string
  /** Signs access tokens: a private key for ES256. */
  readonly signingKey: JWK
  /** Root of the keys that encrypt what must be read back, and that derive refresh tokens. */
  readonly encryptionKey: string
}

export interface DataDirectory {
  readonly path: string
  readonly database: string
  readonly objects: string
  readonly secrets: Secrets
  release(): void
}

/** Thrown when another running process holds the directory. */
class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError'
}

const heldHere = new Set<string>()

export function generateSecrets(): Secrets {
  return {
    publishableKey: 'sb_publishable_chartroom_local_development',
    secretKey: `sb_secret_${randomBytes(24).toString('base64url')}`,
    jwtSecret: randomBytes(48).toString('base64url'),
    ...generateSigningSecrets(),
  }
}

function generateSigningSecrets(): Pick<Secrets, 'signingKey' | 'encryptionKey'> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' })
  if (!kty || !crv || !x || !y || !d) throw new Error('A signing key could not be made')
  return {
    signingKey: { kty, crv, x, y, d, kid: randomUUID(), alg: 'ES256' },
    encryptionKey: randomBytes(32).toString('base64url'),
  }
}

/** Creates or opens a data directory and takes its lock. */
export function openDataDirectory(dir: string): DataDirectory {
  const path = resolve(dir)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const release = takeLock(path)
  try {
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

function readSecrets(file: string): Secrets {
  if (!existsSync(file)) {
    const secrets = generateSecrets()
    writeExclusive(file, JSON.stringify(secrets, null, 2))
    return secrets
  }
  const parsed: unknown = parseJson(readFileSync(file, 'utf8'))
  if (isSecrets(parsed)) return parsed
  if (isFirstSecrets(parsed)) {
    const secrets = { ...parsed, ...generateSigningSecrets() }
    replaceFile(file, JSON.stringify(secrets, null, 2))
    return secrets
  }
  throw new Error(`${file} is damaged. Delete it to get new keys; everyone must then sign in again.`)
}

function isSecrets(value: unknown): value is Secrets {
  const hasKey = Boolean(textOf(fieldOf(value, 'signingKey'), 'd'))
  return isFirstSecrets(value) && hasKey && Boolean(textOf(value, 'encryptionKey'))
}

/** Secrets as the first versions wrote them. */
function isFirstSecrets(
  value: unknown,
): value is Pick<Secrets, 'publishableKey' | 'secretKey' | 'jwtSecret'> {
  return ['publishableKey', 'secretKey', 'jwtSecret'].every(field => Boolean(textOf(value, field)))
}

function replaceFile(file: string, text: string): void {
  const partial = `${file}.${process.pid}`
  rmSync(partial, { force: true })
  writeExclusive(partial, text)
  renameSync(partial, file)
}

function takeLock(path: string): () => void {
  const file = join(path, 'lock.json')
  if (heldHere.has(path)) throw inUse(path, process.pid)
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) })
  if (!tryWriteExclusive(file, mine)) {
    const owner = livingOwner(file)
    if (owner !== undefined) throw inUse(path, owner)
    rmSync(file, { force: true })
    if (!tryWriteExclusive(file, mine)) throw inUse(path, livingOwner(file) ?? 0)
  }
  heldHere.add(path)
  return () => {
    if (heldHere.delete(path)) rmSync(file, { force: true })
  }
}

function inUse(path: string, pid: number): DirectoryInUseError {
  return new DirectoryInUseError(
    `The data directory ${path} is in use by process ${pid}. Stop that process, or choose another directory.`,
  )
}

function livingOwner(file: string): number | undefined {
  const lock = parseJson(existsSync(file) ? readFileSync(file, 'utf8') : '')
  const pid = fieldOf(lock, 'pid')
  if (typeof pid !== 'number' || pid === process.pid || !isAlive(pid)) return undefined
  // A process id is given out again after a crash or a reboot; the start time tells the two apart.
  return fieldOf(lock, 'startedAt') === processStart(pid) ? pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function tryWriteExclusive(file: string, text: string): boolean {
  try {
    writeExclusive(file, text)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function writeExclusive(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
