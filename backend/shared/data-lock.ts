// The lock on a data directory: one process at a time, across containers; a killed process releases it.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
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
/** Describes the lock's owner: error messages name the process, and other machines read it as the lock. */
const OWNER_FILE = 'lock.json'

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
}

/** Keeps references to open locks, because a garbage-collected one would be released. */
const held = new Set<DatabaseSync>()

/**
 * Takes the lock of a directory and returns a function that releases it.
 * @throws DirectoryInUseError
 */
export function takeLock(path: string): () => void {
  const ownerFile = join(path, OWNER_FILE)
  const lock = lockFile(join(path, LOCK_FILE))
  if (!lock) throw new DirectoryInUseError(path, nameOwner(ownerFile))
  try {
    const remote = ownerElsewhere(ownerFile)
    if (remote) throw new DirectoryInUseError(path, `process ${remote.pid} on ${remote.host}`)
    writeFileSync(ownerFile, JSON.stringify(ownOwner()), { mode: 0o600 })
  } catch (error) {
    lock.close()
    throw error
  }
  held.add(lock)
  const heartbeat = setInterval(() => touch(ownerFile), HEARTBEAT_MS).unref()
  return () => {
    if (!held.delete(lock)) return
    clearInterval(heartbeat)
    rmSync(ownerFile, { force: true })
    lock.close()
  }
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
function poll<T>(milliseconds: number, look: () => T | undefined): T | undefined {
  const end = performance.now() + milliseconds
  for (;;) {
    const found = look()
    if (found !== undefined || performance.now() > end) return found
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
}

function ownOwner(): Owner {
  return { pid: process.pid, startedAt: processStart(process.pid), host: hostname(), boot: bootId() }
}

function readOwner(file: string): Owner | undefined {
  const owner = parseJson(textIn(file))
  const pid = fieldOf(owner, 'pid')
  if (typeof pid !== 'number') return undefined
  const [startedAt = '', host = '', boot = ''] = ['startedAt', 'host', 'boot'].map(name =>
    textOf(owner, name),
  )
  return { pid, startedAt, host, boot }
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
