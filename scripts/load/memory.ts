// The memory of a process with the processes that it started.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** In MB. */
export interface MemoryUse {
  readonly before: number
  readonly peak: number
  readonly after: number
}

const SAMPLE_MS = 250
const run = promisify(execFile)

/** Linux knows each process's share of the pages that several use; elsewhere such pages count several times. */
const HAS_SHARES = existsSync('/proc/self/smaps_rollup')

/** Runs `work`, and samples the memory of the process with those that it started. */
export async function watchMemory(pid: number | undefined, work: () => Promise<void>): Promise<MemoryUse> {
  const before = await memoryOf(pid)
  let [peak, isDone] = [before, false]
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await memoryOf(pid))
      await wait(SAMPLE_MS)
    }
  })()
  // A failed sample is thrown after the work, so that the server is stopped first.
  watching.catch(() => undefined)
  try {
    await work()
  } finally {
    isDone = true
    await watching
  }
  return { before, peak, after: await memoryOf(pid) }
}

async function memoryOf(root: number | undefined): Promise<number> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,rss='])
  const processes = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const tree = new Map<number | undefined, number>([[root, 0]])
  // Parents have smaller numbers than their children, except after the numbers wrapped around.
  for (const [pid = 0, parent = 0, resident = 0] of processes.toSorted(([a = 0], [b = 0]) => a - b))
    if (tree.has(pid) || tree.has(parent)) tree.set(pid, resident)
  const sizes = await Promise.all([...tree].map(([pid = 0, resident]) => shareOf(pid, resident)))
  return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024
}

async function shareOf(pid: number, resident: number): Promise<number> {
  if (!HAS_SHARES) return resident
  try {
    return readShare(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? resident
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // The process has ended since it was listed; or it belongs to another user.
    return code === 'ENOENT' || code === 'ESRCH' ? 0 : resident
  }
}

/** Reads the proportional set size from `smaps_rollup`, in kB. */
export function readShare(rollup: string): number | undefined {
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(rollup) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes)
}
