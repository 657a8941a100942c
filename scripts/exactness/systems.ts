// Records and replays the generated system of a seed, in Node or in a page.
import { verify } from '../../src/services/replay/index.ts'
import { readTrace, type ReplayableTrace } from '../../src/trace/index.ts'
import { runOrdinary } from '../../tests/harness/ordinary-run.ts'
import { ordinarySystem } from '../../tests/harness/ordinary-system.ts'
import { withSeededPlatform } from '../../tests/harness/seeded-platform.ts'

/** The trace of a system, as text. */
export type Recorded = readonly [seed: number, text: string]
/** `exact`, or why a replay was not. */
export type Replayed = readonly [seed: number, outcome: string]

export async function recordSystems(seeds: readonly number[]): Promise<readonly Recorded[]> {
  const all: Recorded[] = []
  for (const seed of seeds) all.push([seed, (await recorded(seed)).lines().join('\n')])
  return all
}

export async function replaySystems(recordings: readonly Recorded[]): Promise<readonly Replayed[]> {
  const all: Replayed[] = []
  for (const [seed, text] of recordings) {
    const read = await readTrace(text)
    all.push([seed, read.kind === 'trace' ? replay(seed, read.trace) : read.message])
  }
  return all
}

/** The outcomes of replays from memory, and the number of steps of each. */
export async function replayFromMemory(
  seeds: readonly number[],
): Promise<readonly { readonly replayed: Replayed; readonly steps: number }[]> {
  const all: { readonly replayed: Replayed; readonly steps: number }[] = []
  for (const seed of seeds) {
    const { trace } = await recorded(seed)
    all.push({ replayed: [seed, replay(seed, trace)], steps: trace.steps.length })
  }
  return all
}

/** Whether an app can observe a difference between a recorded and an unrecorded run. */
export async function compareBehavior(seeds: readonly number[]): Promise<readonly Replayed[]> {
  const all: Replayed[] = []
  for (const seed of seeds) {
    const bare = await withSeededPlatform(seed, () => runOrdinary(seed, false))
    const { log } = await withSeededPlatform(seed, () => runOrdinary(seed, true))
    const at = bare.log.findIndex((line, index) => line !== log[index])
    all.push([
      seed,
      at < 0 && log.length === bare.log.length ? 'exact' : `observed ${log.at(at)} for ${bare.log.at(at)}`,
    ])
  }
  return all
}

async function recorded(seed: number) {
  const { recording } = await runOrdinary(seed, true)
  if (!recording) throw new Error('The run has no recording')
  return recording
}

/** `exact`, or why it was not. */
function replay(seed: number, trace: ReplayableTrace): string {
  return reason(verify(trace, { ordinary: ordinarySystem(seed) }))
}

function reason(report: ReturnType<typeof verify>): string {
  if (report.outcome === 'exact') return 'exact'
  if (report.outcome !== 'diverged') return `${report.outcome}: ${report.reason}`
  const { got, differences, problem } = report.divergence
  const paths = differences.map(({ path }) => path).join(', ')
  return problem ?? `${got?.actor} received ${got?.event}: ${paths} differs`
}
