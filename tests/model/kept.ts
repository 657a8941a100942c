// Stored failures: one trace file each, with the sequence that led to the failure.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readTrace } from '../../src/public/replay.ts'
import { hashText } from '../../src/trace/codec/hash.ts'
import type { MachineId } from '../../src/services/workbench/systems/known-systems.ts'
import { recordRun, type Subject } from './random-run.ts'
import type { Sequence } from './sequences.ts'

/** The folder of stored traces; the tests run each of them again. */
const KEPT = new URL('../traces/', import.meta.url).pathname

/** Records the run and writes it; returns the path of the file, which `chartroom replay` reads. */
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
