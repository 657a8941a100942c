// Measures a trace file in separate processes, so that collector state of one measurement does not affect
// another.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { millionRecords } from './million.ts'

const run = promisify(execFile)

/** Results of a thousand seeks. */
export interface Sought {
  /** The 99th percentile in milliseconds. */
  readonly p99: number
  /** The same in processor time, which other programs do not affect. */
  readonly processor: number
  readonly steps: number
  readonly stimuli: number
  readonly actors: number
  /** Size of the file, and memory after opening it and after the seeks, in bytes. */
  readonly disk: number
  readonly opened: number
  readonly used: number
}

/** Measures the file of a million records; `seed` selects the steps to seek. */
export async function measured<T>(
  mode: 'open' | 'parse' | 'seek' | 'reach',
  seed = 1,
  steps = 0,
): Promise<T> {
  const path = await millionRecords()
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'run.ts'),
    mode,
    path,
    String(seed),
    String(steps),
  ])
  return JSON.parse(stdout) as T
}
