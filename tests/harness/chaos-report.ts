// The report of a schedule with a failure: the seed, the command to run it again, and its traces.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { runChaos, type ChaosReport } from './chaos.ts'

/** Ignored by version control. */
const FOLDER = 'test-results/chaos'

export interface Examined {
  readonly seed: number
  readonly settledAfter: number
  /** Absent when everything passed. */
  readonly complaint?: string
}

/** Runs a schedule; with `isReplayed` every trace of it must also replay exactly. */
export async function examine(seed: number, isReplayed = false): Promise<Examined> {
  const report = await runChaos(seed)
  const broken = [...report.broken, ...(isReplayed ? await diverged(report) : [])]
  if (broken.length === 0) return { seed, settledAfter: report.settledAfter }
  const folder = await keepTraces(report, broken)
  const lines = [
    `Chaos, seed ${seed}: ${broken.length} failed.`,
    ...broken.slice(0, 10).map(line => `  ${line}`),
    `Run it again: npm run chaos -- --seed ${seed} --count 1`,
    `Its traces and actions: ${folder}`,
  ]
  return { seed, settledAfter: report.settledAfter, complaint: lines.join('\n') }
}

async function diverged({ tabs }: ChaosReport): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, recorder } of tabs) {
    const read = await readTrace(await recorder.file())
    if (read.kind !== 'trace') wrong.push(`${name}: ${read.message}`)
    else {
      const { outcome, compared } = verify(read.trace, systems)
      if (outcome !== 'exact' || compared !== recorder.trace.steps.length)
        wrong.push(`${name}: the replay is ${outcome} after ${compared} steps.`)
    }
  }
  return wrong
}

async function keepTraces({ seed, tabs, log }: ChaosReport, broken: readonly string[]): Promise<string> {
  const folder = join(FOLDER, `seed-${seed}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'log.txt'), `${[...broken, '', ...log].join('\n')}\n`)
  for (const { name, recorder } of tabs)
    await writeFile(join(folder, `${name.replace(' ', '-')}.trace.gz`), await recorder.file())
  return folder
}
