// The lock on a data directory: one living process at a time, and a killed one holds nobody up.
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldOf } from './fields.ts'

/** Thrown when another running process holds the directory. */
class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError'

  constructor(path: string, pid: number) {
    super(
      `The data directory ${path} is in use by process ${pid}. Stop that process, or choose another directory.`,
    )
  }
}

const LOCK = 'lock.json'
/** One file for each process that is just looking at the lock. */
const CLAIM = 'lock.claim.'
/** Claimants who meet step back for up to so long, and longer each time: on a busy machine a look takes long too. */
const STEP_BACK_MS = 20
const ATTEMPTS = 40

const heldHere = new Set<string>()

/**
 * Takes the lock of a directory; what this answers lets it go.
 * @throws DirectoryInUseError
 */
export function takeLock(path: string): () => void {
  if (heldHere.has(path)) throw new DirectoryInUseError(path, process.pid)
  let rival = replaceDeadLock(path)
  for (let attempt = 1; rival !== undefined && attempt < ATTEMPTS; attempt += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, randomInt(STEP_BACK_MS * attempt))
    rival = replaceDeadLock(path)
  }
  if (rival !== undefined) throw new DirectoryInUseError(path, rival)
  heldHere.add(path)
  return () => {
    if (heldHere.delete(path)) rmSync(join(path, LOCK), { force: true })
  }
}

/**
 * Whoever announces a claim and then sees no other's is alone with the lock: of two, the later one sees the earlier.
 * Answers the other claimant, if there is one.
 */
function replaceDeadLock(path: string): number | undefined {
  const claim = join(path, CLAIM + process.pid)
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) })
  try {
    writeFileSync(claim, mine, { mode: 0o600 })
    const rival = otherClaimant(path)
    const owner = livingOwner(join(path, LOCK))
    if (owner !== undefined) throw new DirectoryInUseError(path, owner)
    if (rival === undefined) writeFileSync(join(path, LOCK), mine, { mode: 0o600 })
    return rival
  } finally {
    rmSync(claim, { force: true })
  }
}

function otherClaimant(path: string): number | undefined {
  for (const name of readdirSync(path).filter(file => file.startsWith(CLAIM))) {
    const pid = Number(name.slice(CLAIM.length))
    if (pid === process.pid) continue
    // Its text may be half written; then the process that writes it is there.
    if (isAlive(pid) && (textIn(join(path, name)) === '' || livingOwner(join(path, name)))) return pid
    rmSync(join(path, name), { force: true })
  }
  return undefined
}

function livingOwner(file: string): number | undefined {
  const lock = parseJson(textIn(file))
  const pid = fieldOf(lock, 'pid')
  if (typeof pid !== 'number' || pid === process.pid || !isAlive(pid)) return undefined
  // A process id is given out again after a crash or a reboot; the start time tells the two apart.
  return fieldOf(lock, 'startedAt') === processStart(pid) ? pid : undefined
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
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
