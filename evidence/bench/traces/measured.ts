// Measures a trace file in separate processes, so that collector state of one measurement does not affect
// another.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { profileOf, type Side } from '../profile.ts'
import { millionRecords } from './million.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, 'run.ts')

/** Results of a thousand seeks. */
export interface Sought {
  /** The 99th percentile in milliseconds. */
  readonly p99: number
  /** The same in processor time, which other programs do not affect. */
  readonly processor: number
  /** The same of the seeks during which no garbage was collected, and the number of the others. */
  readonly calm: number
  readonly collected: number
  /** The share of the slowest hundredth during which garbage was collected, from 0 to 1. */
  readonly collectedOfSlowest: number
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
  const { stdout } = await run(process.execPath, [SCRIPT, mode, path, String(seed), String(steps)])
  return JSON.parse(stdout) as T
}

/** Profiles opening and parsing, per record. */
export async function profileOpening(): Promise<readonly Side[]> {
  const path = await millionRecords()
  const side = async (title: string, mode: string) => ({
    title,
    calls: 1_000_000,
    profile: await profileOf(SCRIPT, mode, path),
  })
  return [await side('parsing', 'parse'), await side('opening', 'open')]
}
