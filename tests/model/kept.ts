// Stored failures: one trace file each, with the sequence that led to the failure.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MachineId, specs } from '../../src/machines/specs.ts'
import { readTrace } from '../../src/public/devtools/replay.ts'
import { createRecorder } from '../../src/services/recording/index.ts'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import { aloneSystem } from '../../src/services/workbench/systems/index.ts'
import type { Run } from '../../src/testing/spec/random-ports.ts'
import { type Change, composeRandom, play } from '../../src/testing/spec/random-run.ts'
import type { Sequence } from '../../src/testing/spec/sequence.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { hashText } from '../../src/trace/codec/hash.ts'

/** The folder of stored traces; the tests run each of them again. */
const KEPT = new URL('../traces/', import.meta.url).pathname

/** Records the run and writes it; returns the path of the file, which `chartroom replay` reads. */
export async function keep(id: MachineId, sequence: Sequence, change?: Change, dir = KEPT): Promise<string> {
  const path = join(dir, `${id}-${hashText(JSON.stringify(sequence))}.jsonl.gz`)
  await mkdir(dir, { recursive: true })
  await writeFile(path, await recordRun(id, sequence, change).file())
  return path
}

/** The sequence is in the header's input, so that the file contains it. */
function recordRun(id: MachineId, sequence: Sequence, change?: Change) {
  const spec = specs[id]
  const clock = createVirtualClock()
  const run: Run = { clock, isCalm: false, seed: sequence.seed, count: 0 }
  const recorder = createRecorder({
    system: aloneSystem(id),
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(sequence.seed),
    compose: () => composeRandom(spec, run, change),
    input: { ...(spec.randomInput as object), sequence },
  })
  recorder.start()
  play({
    spec,
    steps: sequence.steps,
    run,
    clock,
    tell: event => recorder.send({ type: 'alone.tell', event }),
  })
  recorder.stop()
  return recorder
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
