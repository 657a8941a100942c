// Minimizing: a bug in thousands of events is reduced to the few that cause it, as a trace that replays.
import { describe, expect, test } from 'vitest'
import { composeClient, declaredPorts } from '../../src/services/client/index.ts'
import type { ComposeSystem } from '../../src/services/runtime/index.ts'
import { invariants, type ReplayableTrace } from '../../src/trace/index.ts'
import { tellsTwice } from '../harness/mutants.ts'
import { stormyRun } from '../harness/recorded-run.ts'
import { breaks, failsWhen, minimize } from '../../src/services/replay/minimize/minimize.ts'
import { makeDrive, verify } from '../../src/services/replay/index.ts'
import { PLANTED_BUGS, runWithBug, type PlantedBug } from '../harness/planted-bugs.ts'

const failingOf = ({ name, fails }: PlantedBug) => failsWhen(name, fails)

/** Whether the bug shows when the stimuli for which `keep` returns false are left out. */
function shows(bug: PlantedBug, trace: ReplayableTrace, without?: number): boolean {
  let isShown = false
  let look: (() => boolean) | undefined
  makeDrive(
    trace,
    { planted: bug.logic() },
    {
      compare: false,
      keep: ({ seq }) => seq !== without,
      onStep: ({ actor, trace: driven }) => {
        look ??= failingOf(bug).watch({ actor, trace: driven })
        isShown ||= look()
      },
    },
  )
  return isShown
}

describe.each(PLANTED_BUGS)('$name', bug => {
  test(`is reduced from 5,000 events to ${bug.needs}`, async () => {
    const trace = runWithBug(bug, 5000, 31)
    const found = await minimize(trace, { planted: bug.logic() }, failingOf(bug))
    expect(found).toMatchObject({ outcome: 'minimized', isOneMinimal: true })
    if (found.outcome !== 'minimized') return
    const entering = found.trace.stimuli.filter(({ kind }) => kind !== 'timer')
    expect(entering).toHaveLength(bug.needs)
    expect(verify(found.trace, { planted: bug.logic() }).outcome).toBe('exact')
    expect(shows(bug, found.trace)).toBe(true)
    for (const { seq } of entering) expect(shows(bug, found.trace, seq)).toBe(false)
  })
})

test('an invariant of the client that a changed machine violates, in a storm of ten minutes', async () => {
  const { trace } = stormyRun(11, 600)
  const system: ComposeSystem = () => tellsTwice(composeClient(declaredPorts))
  const found = await minimize(trace, { chartroom: system }, breaks(...invariants()))
  if (found.outcome !== 'minimized') throw new Error(found.outcome)
  expect(found.trace.stimuli.map(({ event }) => (event as { type?: string } | undefined)?.type)).toContain(
    'request.start',
  )
  expect(found.kept.length).toBeLessThan(4)
  expect(verify(found.trace, { chartroom: system }).outcome).toBe('exact')
})

test('a run without a failure is not minimized', async () => {
  const [bug] = PLANTED_BUGS as [PlantedBug]
  const trace = runWithBug(bug, 3, 1)
  expect(await minimize(trace, { planted: bug.logic() }, failingOf(bug))).toEqual({ outcome: 'fine' })
})

test('a limit ends minimizing with the result so far, marked as not proven minimal', async () => {
  const [bug] = PLANTED_BUGS as [PlantedBug]
  const trace = runWithBug(bug, 5000, 31)
  const found = await minimize(trace, { planted: bug.logic() }, failingOf(bug), { limit: 3 })
  expect(found).toMatchObject({ outcome: 'minimized', isOneMinimal: false })
})
