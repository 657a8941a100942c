// The lock on a data directory: one process at a time, across containers; a killed process releases it.
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fieldOf, textOf } from './fields.ts'

/** Thrown if another running process holds the directory. */
class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError'

  constructor(path: string, owner: string) {
    super(`The data directory ${path} is in use by ${owner}. Stop that process, or choose another directory.`)
  }
}

/**
 * SQLite locks ranges of this file through the kernel (`fcntl`), which releases them when the process ends.
 * The locks belong to the file, so they work across the PID and network namespaces of one machine. The file
 * is never removed, because a process that still has the old file open would lock that one.
 */
export const LOCK_FILE = 'lock'
/**
 * Describes the lock's owner: error messages name the process, and other machines read it as the lock. A release says
 * so in it.
 */
const OWNER_FILE = 'lock.json'
/** Every folder that was ever opened has it. */
const SECRETS_FILE = 'secrets.json'

/** Time for a process that has just taken the lock to write the owner file. */
const OWNER_WAIT_MS = 1_000
const POLL_MS = 20

/** Interval in which the owner signals other machines that it runs, and for which they watch. */
const HEARTBEAT_MS = 2_000
const WATCH_MS = 3 * HEARTBEAT_MS

interface Owner {
  readonly pid: number
  /** Process ids are reused after a crash; the start time distinguishes the two processes. */
  readonly startedAt: string
  readonly host: string
  /** Identifies the kernel, which containers of one machine share. Empty if the system has no boot id. */
  readonly boot: string
  /** The lock file that it holds: another one under that name says nothing about this owner. */
  readonly lockFile: string
}

/** Held locks: a garbage-collected one would be released. */
const heldLocks = new Set<HeldLock>()

interface HeldLock {
  lock: DatabaseSync
  /** The file that is locked. */
  identity: string
}

/**
 * Takes the lock of a directory and returns a function that releases it.
 * @throws DirectoryInUseError
 */
export function takeLock(path: string): () => void {
  const ownerFile = join(path, OWNER_FILE)
  const file = join(path, LOCK_FILE)
  // Before the lock: another process that looks for a removed owner may have made the file again.
  const isRemoved = existsSync(join(path, SECRETS_FILE)) && !existsSync(ownerFile)
  const lock = lockFile(file)
  if (!lock) throw new DirectoryInUseError(path, nameOwner(ownerFile))
  const mine: HeldLock = { lock, identity: identityOf(file) }
  try {
    const lockOwner = ownerElsewhere(ownerFile) ?? ownerOfRemoved(ownerFile, mine.identity, isRemoved)
    if (lockOwner) throw new DirectoryInUseError(path, describeOwner(lockOwner))
    // The owner of a removed lock restores it under this name.
    if (identityOf(file) !== mine.identity) throw new DirectoryInUseError(path, nameOwner(ownerFile))
    writeOwner(ownerFile, mine)
  } catch (error) {
    lock.close()
    throw error
  }
  heldLocks.add(mine)
  const heartbeat = setInterval(() => beat(file, ownerFile, mine), HEARTBEAT_MS).unref()
  return () => {
    if (!heldLocks.delete(mine)) return
    clearInterval(heartbeat)
    writeReleased(ownerFile)
    mine.lock.close()
  }
}

/** Signals that the owner runs, and restores what was removed under it. */
function beat(file: string, ownerFile: string, mine: HeldLock): void {
  try {
    if (identityOf(file) !== mine.identity) {
      const lock = lockFile(file)
      // A process that has the new file looks for this owner's signals before it goes on.
      if (lock) {
        mine.lock.close()
        mine.lock = lock
        mine.identity = identityOf(file)
        writeOwner(ownerFile, mine)
      }
    }
    if (existsSync(ownerFile)) touch(ownerFile)
    else writeOwner(ownerFile, mine)
  } catch {
    // The directory is gone, so no other process can want it.
  }
}

function writeOwner(file: string, { identity }: HeldLock): void {
  writeFileSync(file, JSON.stringify({ ...ownOwner(), lockFile: identity }), { mode: 0o600 })
}

/** The file stays: a folder with data that has none is one whose lock was removed. */
function writeReleased(file: string): void {
  try {
    writeFileSync(file, JSON.stringify({ released: true }), { mode: 0o600 })
  } catch {
    // The directory is gone, so no other process can want it.
  }
}

/** Distinguishes a file from one that later has its name. */
function identityOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : ''
}

/** The lock as an open transaction, or `undefined` if another process or thread has it. */
function lockFile(file: string): DatabaseSync | undefined {
  // A regular import would print a warning in older versions of Node.
  const { DatabaseSync } = withoutWarnings(() => process.getBuiltinModule('node:sqlite'))
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (fieldOf(error, 'errcode') === SQLITE_BUSY) return undefined
    throw error
  }
}

const SQLITE_BUSY = 5

function withoutWarnings<T>(work: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Returns the running owner on another machine that shares the folder, if any. Not every shared file system
 * supports locks, so the owner is detected by its heartbeat. After a reboot of this machine there is nothing
 * to wait for.
 */
function ownerElsewhere(file: string): Owner | undefined {
  const owner = readOwner(file)
  const { host, boot } = ownOwner()
  // The first versions did not store the host.
  if (!owner?.host || owner.boot === boot || owner.host === host) return undefined
  const before = heartbeatOf(file)
  return poll(WATCH_MS, () => (heartbeatOf(file) === before ? undefined : owner))
}

/**
 * The running owner whose lock file was removed, if any: the kernel's lock on the present file says nothing about it.
 * @param isRemoved whether the folder has data, but no owner file: then even the owner's name was removed
 */
function ownerOfRemoved(file: string, identity: string, isRemoved: boolean): Owner | undefined {
  const owner = readOwner(file)
  if (owner ? owner.lockFile === identity : !isRemoved) return undefined
  if (owner && processStart(owner.pid) !== '' && processStart(owner.pid) === owner.startedAt) return owner
  // The first versions did not store the host; after a reboot there is nothing to wait for.
  if (owner && (owner.host === '' || owner.boot !== bootId())) return undefined
  // Its process may be of another container, and not visible.
  const before = heartbeatOf(file)
  return poll(WATCH_MS, () => (heartbeatOf(file) === before ? undefined : readOwner(file)))
}

function describeOwner(owner: Owner): string {
  return owner.host === hostname() ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`
}

function nameOwner(file: string): string {
  const local = poll(OWNER_WAIT_MS, () => {
    const owner = readOwner(file)
    return owner && processStart(owner.pid) === owner.startedAt ? owner : undefined
  })
  if (local) return `process ${local.pid}`
  const other = readOwner(file)
  return other ? `process ${other.pid} in another container (${other.host})` : 'another process'
}

/** Blocks until there is a result, or for at most the given time. */
function poll<T>(milliseconds: number, check: () => T | undefined): T | undefined {
  const end = performance.now() + milliseconds
  for (;;) {
    const result = check()
    if (result !== undefined || performance.now() > end) return result
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
}

function ownOwner(): Owner {
  const startedAt = processStart(process.pid)
  return { pid: process.pid, startedAt, host: hostname(), boot: bootId(), lockFile: '' }
}

function readOwner(file: string): Owner | undefined {
  const owner = parseJson(textIn(file))
  const pid = fieldOf(owner, 'pid')
  if (typeof pid !== 'number') return undefined
  const [startedAt = '', host = '', boot = '', heldFile = ''] = ['startedAt', 'host', 'boot', 'lockFile'].map(
    name => textOf(owner, name),
  )
  return { pid, startedAt, host, boot, lockFile: heldFile }
}

function heartbeatOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function touch(file: string): void {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // The directory is gone, so no other process can want it.
  }
}

function bootId(): string {
  return textIn('/proc/sys/kernel/random/boot_id').trim()
}

/** Empty if it can't be read: for processes of other containers, and on systems without `/proc`. */
function processStart(pid: number): string {
  const stat = textIn(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
