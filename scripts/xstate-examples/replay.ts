// Runs in a separate process: replays the traces of one example and prints the outcomes.
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Divergence } from '../../src/services/replay/verify/divergence.ts'
import { verify } from '../../src/services/replay/verify/verify.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { hurry } from './quick.ts'
import { loadSubject } from './subject.ts'

/** The outcomes of an example's runs. */
export interface Outcome {
  readonly runs: number
  readonly exact: number
  readonly stimuli: number
  readonly steps: number
  readonly actors: number
  /** Why runs were not exact, without duplicates. */
  readonly reasons: readonly string[]
}

const [folder = '', file = '', traces = ''] = process.argv.slice(2)
const write = process.stdout.write.bind(process.stdout)
hurry(() => 0)
const { logic } = await loadSubject(folder, file)
// Examples may throw outside of XState, as any app may.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
const outcome = { runs: 0, exact: 0, stimuli: 0, steps: 0, actors: 0 }
const reasons = new Set<string>()
for (const name of await readdir(traces)) {
  const read = await readTrace(await readFile(join(traces, name)))
  if (read.kind !== 'trace') throw new Error(read.message)
  const report = verify(read.trace, { example: logic })
  outcome.runs += 1
  outcome.stimuli += report.stimuli
  outcome.steps += report.steps
  outcome.actors += read.trace.actors.length
  if (report.outcome === 'exact') outcome.exact += 1
  else if (report.outcome !== 'diverged') reasons.add(report.reason)
  else for (const reason of report.hints ?? [where(report.divergence)]) reasons.add(reason)
}
function where({ got, differences, problem }: Divergence): string {
  const paths = differences.map(({ path }) => path).join(', ')
  return problem ?? `${got?.actor} received ${got?.event}: ${paths} differs`
}

write(JSON.stringify({ ...outcome, reasons: [...reasons] } satisfies Outcome))
process.exit(0)
