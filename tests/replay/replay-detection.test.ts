// Twenty changes planted in our machines: each makes a recorded storm diverge, and the report names the
// place.
import type { AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { composeClient, declaredPorts } from '../../src/services/client/index.ts'
import { type Divergence, drive, verify } from '../../src/services/replay/index.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { plantedChanges, withChange, type PlantedChange } from '../harness/planted-changes.ts'
import { stormyRun } from '../harness/recorded-run.ts'

const golden: ReplayableTrace[] = []
const SEEDS = [5, 7, 11]

/** Recorded with the unchanged machines; created on first use. */
const goldenTrace = (seed: number) => (golden[seed] ??= stormyRun(seed, 60).trace)

function systemsWith(change: PlantedChange) {
  const chartroom = () => withChange(composeClient(declaredPorts) as unknown as AnyStateMachine, change)
  return { chartroom }
}

/** What a report names: the transitions that differ, and what changed in that machine. */
function named({ cause }: Divergence): string[] {
  const transitions = [...(cause?.was ?? []), ...(cause?.is ?? [])].map(
    ({ machine, name, event }) => `${machine} ${name.slice(0, name.lastIndexOf('#'))} ${event}`,
  )
  const parts = (cause?.changes ?? []).map(({ machine, state, what }) => `${machine} ${state} ${what}`)
  return [...transitions, ...parts]
}

test('there are twenty different changes', () => {
  expect(
    new Set(plantedChanges.map(({ expectedCause }) => expectedCause.join(' '))).size,
  ).toBeGreaterThanOrEqual(18)
  expect(plantedChanges).toHaveLength(20)
})

test('without a change every golden trace is driven to its end and is the same', () => {
  const chartroom = () => composeClient(declaredPorts)
  for (const seed of SEEDS) {
    const trace = goldenTrace(seed)
    const report = drive(trace, { chartroom })
    expect(report).toMatchObject({ outcome: 'same', placed: trace.stimuli.length, changes: [], machines: [] })
  }
})

describe('a golden trace diverges, and the report names the transition', () => {
  test.each(plantedChanges)('when $what', change => {
    const systems = systemsWith(change)
    for (const seed of SEEDS) {
      const report = drive(goldenTrace(seed), systems)
      if (report.outcome === 'unusable') throw new Error(report.reason)
      if (!report.first) continue
      expect(named(report.first)).toContain(change.expectedCause.join(' '))
      // Changes of code leave the structure unchanged.
      const place = report.changes.length > 0 ? change.expectedCause.slice(0, 2) : [undefined, undefined]
      const { likeliest } = report.first.cause ?? {}
      expect([likeliest?.machine, likeliest?.state]).toEqual(place)
      expect(verify(goldenTrace(seed), systems).outcome).toBe('diverged')
      return
    }
    throw new Error('no golden trace shows it')
  })
})
