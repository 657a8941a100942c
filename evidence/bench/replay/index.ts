// Benchmarks of `chartroom replay` for many reports: what a second worker gains, and memory by number of files.
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Benchmark, Measured } from '../contract.ts'

const PROGRAM = join(import.meta.dirname, '../../../src/cli/main.ts')

/**
 * A worker needs about twenty files until its code is optimized: with fifty files, two workers spend a third of
 * their time on what one does once.
 */
const FILES = 400

/** The target is a ratio of 1.8 on two idle cores. */
export const replayWorkers: Benchmark = {
  name: 'replay-workers',
  unit: 'files/s',
  peer: 'one worker',
  measure: samples => measureWorkers(samples, FILES, () => undefined),
}

/** The usual definition of a speedup, with as many cores as workers. The target is a ratio of 1.8. Needs Linux. */
export const replayCores: Benchmark = {
  name: 'replay-cores',
  unit: 'files/s',
  peer: 'one worker on one core',
  onlyWhenNamed: true,
  measure: samples => measureWorkers(samples, 1_000, workers => (workers === 1 ? '0' : '0,1')),
}

async function measureWorkers(
  samples: number,
  files: number,
  coresOf: (workers: number) => string | undefined,
): Promise<Measured> {
  const { withReports } = await import('./reports.ts')
  return withReports(files, async paths => {
    const [ours, peer]: [number[], number[]] = [[], []]
    for (let n = 0; n < samples; n++) {
      peer.push(await rateOf(paths, 1, coresOf(1)))
      ours.push(await rateOf(paths, 2, coresOf(2)))
    }
    return { ours, peer }
  })
}

async function rateOf(files: readonly string[], workers: number, cores?: string): Promise<number> {
  const start = performance.now()
  await replay(files, workers, () => Promise.resolve(), cores)
  return files.length / ((performance.now() - start) / 1000)
}

/** Memory is reported after each of these numbers of files. */
const MARKS = [1_000, 5_000, 10_000]
/** Each is the highest of several readings, since collections are irregular. */
const READINGS = 200

/** The target is no growth. */
export const replayMemory: Benchmark = {
  name: 'replay-memory',
  unit: 'MB',
  peer: 'the same run after 1,000 files',
  onlyWhenNamed: true,
  measure: async () => {
    const { withReports } = await import('./reports.ts')
    return withReports(Math.max(...MARKS), async files => {
      const taken: number[] = []
      let highest = 0
      let done = 0
      await replay(files, 2, async process => {
        done += 1
        const mark = MARKS.find(number => number >= done) ?? 0
        if (mark - done < READINGS) highest = Math.max(highest, await memoryOf(process))
        if (mark !== done) return
        console.error(`${done.toLocaleString('en')} files: ${highest.toFixed(0)} MB`)
        taken.push(highest)
        highest = 0
      })
      return { ours: taken.slice(-1), peer: taken.slice(0, 1) }
    })
  },
}

/** Calls `onFile` with the id of the process after each file. `cores` limits all processes, as a list for taskset. */
async function replay(
  files: readonly string[],
  workers: number,
  onFile: (process: number) => Promise<void>,
  cores?: string,
): Promise<void> {
  const pinned = cores === undefined ? [] : ['taskset', '--cpu-list', cores]
  const [program = '', ...args] = [...pinned, process.execPath, PROGRAM, 'replay', ...files]
  const child = spawn(program, [...args, '--workers', `${workers}`, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    const { outcome, reason } = JSON.parse(line) as { outcome: string; reason?: string }
    if (outcome !== 'exact') throw new Error(`A report was not replayed exactly: ${reason ?? outcome}.`)
    await onFile(child.pid ?? 0)
  }
  const code = await ended
  if (code !== 0) throw new Error(`chartroom replay exited with code ${code}.`)
}

/**
 * Resident memory of a process with its workers, in MB.
 * @throws Error on systems without /proc
 */
async function memoryOf(parent: number): Promise<number> {
  const tasks = await readdir(`/proc/${parent}/task`)
  const children = await Promise.all(
    tasks.map(task => readFile(`/proc/${parent}/task/${task}/children`, 'utf8')),
  )
  const ids = [String(parent), ...children.join(' ').split(/\s+/).filter(Boolean)]
  const sizes = await Promise.all(
    ids.map(async id => {
      // A worker may end in the meantime.
      const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
