// Jobs on traces, run in this process: verify, coverage, checks, minimizing, tests, steps and exports of a
// file.
import { describe, expect, it } from 'vitest'
import { setup } from 'xstate'
import { record } from '../../src/public/devtools/recording.ts'
import { readTrace } from '../../src/public/devtools/replay.ts'
import { doJob } from '../../src/ui/console/checks/do-job.ts'
import { searchedFor } from '../../src/ui/console/checks/jobs.ts'
import type { JobProgress } from '../../src/ui/console/checks/jobs.ts'

/** A door; `slams` closes it if it was ajar. */
const door = (slams = false) =>
  setup({ types: { events: {} as { type: 'push' | 'pull' | 'lock' | 'unlock' } } }).createMachine({
    id: 'door',
    initial: 'shut',
    states: {
      shut: { on: { pull: 'ajar', lock: 'locked' } },
      ajar: { on: { push: 'shut', pull: slams ? 'shut' : 'open' } },
      open: { on: { push: 'ajar' } },
      locked: { on: { unlock: 'shut' } },
    },
  })

/** A file of a run in which the door opens at the seventh of nine events. */
async function recorded(views = true, times = 1): Promise<Blob> {
  const { actor, file } = record(door(), { steps: views })
  actor.start()
  const types = ['pull', 'push', 'lock', 'unlock', 'push', 'pull', 'pull', 'push', 'push'] as const
  for (let time = 0; time < times; time++) for (const type of types) actor.send({ type })
  return new Blob([await file()])
}

const reported: JobProgress[] = []
const place = (slams = false) => ({
  report: (progress: JobProgress) => void reported.push(progress),
  signal: new AbortController().signal,
  systems: { door: door(slams) },
})
const nobody = { report: () => undefined, signal: new AbortController().signal }
const never = { name: 'never open', check: { never: { src: 'door', entered: 'open' }, says: 'It is open.' } }

describe('verify', () => {
  it.each([true, false])('reports identical runs for the same machine (views: %s)', async views => {
    const answer = await doJob('verify', { file: await recorded(views) }, place())
    expect(answer).toMatchObject({ outcome: 'exact', stimuli: 9, machines: [], notes: [] })
    expect(answer.divergence).toBe(undefined)
    expect((answer.keyframes ?? 0) > 0).toBe(!views)
  })

  it('shows where a changed machine diverges, and both runs', async () => {
    const answer = await doJob('verify', { file: await recorded() }, place(true))
    expect([answer.outcome, answer.machines, answer.divergence?.index]).toEqual([
      'diverged',
      [{ id: 'door', difference: 'changed' }],
      7,
    ])
    expect(answer.words?.[0]).toBe('first difference at step 7')
    expect(answer.divergence?.cause?.likeliest?.state).toBe('ajar')
    expect(answer.runs?.rows.map(({ kind, was, is }) => [kind, was?.state, is?.state])).toEqual([
      ...['shut', 'ajar', 'shut', 'locked', 'shut', 'shut', 'ajar'].map(state => ['alike', state, state]),
      ['first', 'open', 'shut'],
      ['differs', 'ajar', 'shut'],
      ['alike', 'shut', 'shut'],
    ])
    expect(answer.after).toMatchObject({ placed: 9, unplaced: [], more: 0, final: [] })
  })

  it('reports unknown systems, and files that are not traces', async () => {
    const answer = await doJob('verify', { file: await recorded() }, nobody)
    expect([answer.outcome, answer.reason?.slice(0, 21)]).toEqual(['unusable', 'unknown system "door"'])
    await expect(doJob('verify', { file: new Blob(['hello']) }, nobody)).rejects.toThrow(
      /^The file can't be used: /,
    )
  })
})

it('covers the shown trace and others, and names files that are not traces', async () => {
  const blob = await recorded()
  const files = [
    { name: 'a', blob },
    { name: 'b', blob },
    { name: 'c', blob: new Blob(['no']) },
  ]
  const { report, unusable } = await doJob('cover', { files }, place())
  expect([report.traces.map(({ how }) => how), report.machines[0]?.totals.states]).toEqual([
    ['replayed', 'replayed'],
    { covered: 5, total: 5, percent: 100 },
  ])
  expect(unusable.map(({ name }) => name)).toEqual(['c'])
})

it.each([true, false])('checks a file and derives its steps if it has none (views: %s)', async views => {
  const ask = { file: await recorded(views), assertions: [never], invariants: false }
  const { results, steps } = await doJob('check', ask, place())
  expect([steps, results.map(({ name, failed, failures }) => [name, failed, failures[0]?.seq])]).toEqual([
    10,
    [['never open', 1, 7]],
  ])
})

it('finds the shortest run that still fails an assertion, as a trace that opens', async () => {
  const ask = { file: await recorded(), assertions: [never], fails: ['never open'] }
  const answer = await doJob('minimize', ask, place())
  if (answer.outcome !== 'minimized') throw new Error(answer.outcome)
  expect([answer.kept, answer.of, answer.isOneMinimal, answer.steps.map(({ words }) => words)]).toEqual([
    2,
    9,
    true,
    ['Send pull to door.', 'Send pull to door.'],
  ])
  expect((await readTrace(answer.file)).kind).toBe('trace')
  expect(await doJob('minimize', { ...ask, file: await recorded() }, place(true))).toEqual({
    outcome: 'fine',
    fails: ['never open'],
  })
})

it('uses a shortest run only as the result for the assertions it was searched for', async () => {
  const answer = { outcome: 'fine', fails: ['b', 'a'] } as const
  expect([
    searchedFor(answer, ['a', 'b']),
    searchedFor(answer, ['a']),
    searchedFor(answer, ['a', 'c']),
    searchedFor(undefined, ['a']),
  ]).toEqual([answer, undefined, undefined, undefined])
})

it('writes a test, steps, and other formats, each of the selected part', async () => {
  const file = await recorded()
  const system = { import: "import { door } from './door.ts'", name: 'door' }
  const test = await doJob('test', { file, title: 'it opens', system, recording: 'door.trace.gz' }, place())
  expect(test.problem).toBe(undefined)
  expect(test.text).toContain("test('it opens', () => {")
  expect(test.text.match(/stage\.send/g)?.length).toBe(9)
  expect(test.text).toContain("expect(stage.state()).toEqual('open')")
  const only = await doJob('test', { file, title: '', only: ['nobody'], system, recording: '' }, place())
  expect(only.text).not.toContain('expect(')

  // A long test plays the recording.
  const long = await doJob(
    'test',
    { file: await recorded(true, 20), title: '', system, recording: 'door.trace.gz' },
    place(),
  )
  expect(long.recording).toBe('door.trace.gz')
  expect(long.text).toContain("recordedStage(new URL('./door.trace.gz', import.meta.url), door)")
  expect(long.text.split('\n').length).toBeLessThanOrEqual(80)

  const part = { kind: 'steps', seqs: Uint32Array.of(7) } as const
  const { steps, code } = await doJob('steps', { file, part }, place())
  expect([steps.map(({ words, states }) => [words, states]), code]).toEqual([
    [['Send pull to door.', ['door is open']]],
    "stage.send({ type: 'pull' })\n",
  ])
  const diagram = await doJob('export', { file, format: 'mermaid', diagram: 'sequence', part }, place())
  expect((await diagram.blob.text()).split('\n').slice(0, 3)).toEqual([
    'sequenceDiagram',
    '  participant outside as outside',
    '  participant a0 as door',
  ])
  const scxml = await doJob(
    'export',
    { file, format: 'scxml', diagram: 'state', machine: 'door', part: { kind: 'all' } },
    place(),
  )
  expect(await scxml.blob.text()).toContain('<state id="ajar"')
  await expect(
    doJob('export', { file, format: 'scxml', diagram: 'state', machine: 'gate', part }, place()),
  ).rejects.toThrow('there is no machine "gate" in the trace; it has door')
})
