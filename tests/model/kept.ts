// Failures that are kept: a trace file for each, which holds the sequence that led there.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readTrace } from '../../src/replay.ts'
import { hashText } from '../../src/trace/hash.ts'
import type { MachineId } from '../../src/services/compose-alone.ts'
import { recordRun, type Subject } from './random-run.ts'
import type { Sequence } from './sequences.ts'

/** Where kept traces lie; each is run again by the tests from then on. */
const KEPT = new URL('../traces/', import.meta.url).pathname

/** Records the run and writes it; gives the file's path, by which `chartroom replay` reads it. */
export async function keep(subject: Subject, sequence: Sequence, dir = KEPT): Promise<string> {
  const path = join(dir, `${subject.id}-${hashText(JSON.stringify(sequence))}.jsonl.gz`)
  await mkdir(dir, { recursive: true })
  await writeFile(path, await recordRun(subject, sequence).file())
  return path
}

export interface Kept {
  readonly name: string
  readonly id: MachineId
  readonly sequence: Sequence
}

/** Every sequence that once led to a failure. */
export async function keptSequences(dir = KEPT): Promise<Kept[]> {
  const names = (await readdir(dir).catch(() => [])).filter(name => name.endsWith('.jsonl.gz'))
  return Promise.all(
    names.map(async name => {
      const result = await readTrace(await readFile(join(dir, name)))
      if (result.kind === 'unusable') throw new Error(`${name} cannot be read: ${result.message}`)
      const { system, input } = result.trace.header
      const id = system.slice('chartroom/'.length) as MachineId
      return { name, id, sequence: (input as { sequence: Sequence }).sequence }
    }),
  )
}
