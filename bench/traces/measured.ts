// Has a trace file measured in processes of their own: what one leaves to the collector does not fall on another.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { millionRecords } from './million.ts'

const run = promisify(execFile)

/** What a thousand seeks came to. */
export interface Sought {
  /** Milliseconds of the slowest but one in a hundred. */
  readonly p99: number
  /** The same of the processor's time, which other programs do not lengthen. */
  readonly processor: number
  readonly views: number
  readonly stimuli: number
  readonly actors: number
  /** Bytes of the file, and of memory after opening it and after the seeks. */
  readonly disk: number
  readonly opened: number
  readonly used: number
}

/** Measures the file of a million records; `seed` decides which of its steps are looked for. */
export async function measured<T>(
  mode: 'open' | 'parse' | 'seek' | 'reach',
  seed = 1,
  views = 0,
): Promise<T> {
  const path = await millionRecords()
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'run.ts'),
    mode,
    path,
    String(seed),
    String(views),
  ])
  return JSON.parse(stdout) as T
}
