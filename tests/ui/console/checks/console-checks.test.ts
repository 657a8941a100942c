// Checks in the console: findings, aligned runs, readable steps, parts of a run, and coverage rows.
import { describe, expect, it } from 'vitest'
import {
  checkGrowing,
  checkTrace,
  type Assertion,
  toReport,
  type MachineCounts,
  type Stimulus,
} from '../../../../src/trace/index.ts'
import { alignRuns } from '../../../../src/ui/console/checks/align.ts'
import {
  coverageAsText,
  sortedMachines,
  unreachedOf,
  whyInWords,
} from '../../../../src/ui/console/checks/coverage-rows.ts'
import { EXPORTS, exportName } from '../../../../src/ui/console/checks/export-tab.tsx'
import { findingsOf } from '../../../../src/ui/console/checks/findings.ts'
import { nextFinding } from '../../../../src/ui/console/checks/checks-mark.tsx'
import { readOwn } from '../../../../src/ui/console/checks/watch-trace.ts'
import { partOf, stimuliOf, wholeCalls } from '../../../../src/ui/console/checks/do-job.ts'
import { stepsAsCode } from '../../../../src/ui/console/checks/steps-as-code.ts'
import { fileNameOf, machinePaths, systemImport } from '../../../../src/ui/console/checks/test-form.tsx'
import { stepsAsText, describeSteps } from '../../../../src/ui/console/checks/described-steps.ts'
import { story } from '../../../trace/assert-story.ts'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

const assertions: readonly Assertion[] = [
  { name: 'never dark', check: { never: { src: 'lamp', state: 'dark' }, says: 'It is dark.' } },
  { name: 'answered', check: { responds: { event: 'answer' }, to: { event: 'ask' } } },
  { name: 'at rest lit', check: { atRest: { state: 'lit' }, when: { event: 'go' } } },
]
const run = story(
  { actor: 'app/lamp', event: 'go', state: 'dark' },
  { actor: 'app/lamp', event: 'next', state: 'lit', same: true },
  { actor: 'app/lamp', event: 'ask', state: 'lit' },
  { actor: 'app/lamp', event: 'go', state: 'dark' },
)

describe('checkGrowing', () => {
  it.each([1, 2, 3, 100])('finds the same in batches of %i as in one pass', most => {
    const check = checkGrowing(run, assertions)
    while (check.advance(most));
    const whole = checkTrace(run, assertions, { isClosed: false })
    expect([check.steps, check.failed]).toEqual([4, 3])
    expect(check.report().results.map(({ failures }) => failures)).toEqual(
      whole.results.map(({ failures }) => failures),
    )
  })

  it('checks steps that arrive later', () => {
    const steps = run.steps.slice(0, 2)
    const check = checkGrowing({ ...run, steps }, assertions)
    expect([check.advance(10), check.failed]).toEqual([false, 1])
    steps.push(...run.steps.slice(2))
    expect([check.advance(10), check.failed]).toEqual([false, 3])
  })
})

it('findings are keyed by step number, each with its actor and kind', () => {
  const { results } = checkTrace(run, assertions)
  const named = results.map(one => (one.name === 'at rest lit' ? { ...one, name: 'liveToken' } : one))
  const found = findingsOf(named, path => ['app', 'app/lamp'].indexOf(path))
  expect(found.map(({ seq, actor, name, kind }) => [seq, actor, name, kind])).toEqual([
    [0, 1, 'never dark', 'assertion'],
    [3, 1, 'never dark', 'assertion'],
    [3, 1, 'liveToken', 'invariant'],
  ])
  expect(found[0]?.text).toBe('It is dark.')
  expect([nextFinding(found, 0, 1)?.seq, nextFinding(found, 3, -1)?.seq, nextFinding(found, 3, 1)]).toEqual([
    3,
    0,
    undefined,
  ])
})

it("assertions are read completely or not at all, and may not use an invariant's name", () => {
  const good = { name: 'a', check: { never: { state: 'x' } } }
  expect(readOwn(JSON.stringify([good]))).toEqual({ assertions: [good], problems: [] })
  expect(readOwn(' ')).toEqual({ assertions: [], problems: [] })
  expect(readOwn('{')).toEqual({ assertions: [], problems: [expect.stringMatching(/^Invalid JSON: /)] })
  expect(readOwn(JSON.stringify([good, { name: 'b', check: { nevr: {} } }]))).toEqual({
    assertions: [],
    problems: ['$[1].check.nevr is not allowed in a formula; did you mean "never"?'],
  })
  expect(readOwn(JSON.stringify([{ ...good, name: 'liveToken' }]))).toEqual({
    assertions: [],
    problems: ['“liveToken” is the name of an invariant'],
  })
})

describe('alignRuns', () => {
  const actors = actorEntries(['app', 'app'])
  const runOf = (...steps: readonly string[]) => ({
    actors,
    steps: stepRecords(
      steps.map(step => {
        const [type = '', value = ''] = step.split('>')
        return { actor: 0, type, value }
      }),
    ),
  })
  const shown = (was: readonly string[], is: readonly string[], index: number) =>
    alignRuns(runOf(...was), runOf(...is), index).rows.map(row =>
      [
        row.kind,
        row.was && `${row.was.event}>${row.was.state}`,
        row.is && `${row.is.event}>${row.is.state}`,
      ].join(' '),
    )

  it.each([
    [
      'different state',
      ['a>1', 'b>2', 'c>3'],
      ['a>1', 'b>9', 'c>3'],
      1,
      ['alike a>1 a>1', 'first b>2 b>9', 'alike c>3 c>3'],
    ],
    [
      'a missing step',
      ['a>1', 'b>2', 'c>3'],
      ['a>1', 'c>3'],
      1,
      ['alike a>1 a>1', 'first b>2 ', 'alike c>3 c>3'],
    ],
    ['an added step', ['a>1'], ['a>1', 'x>2'], 1, ['alike a>1 a>1', 'first  x>2']],
    ['nothing in common', ['b>2'], ['x>1'], 0, ['first b>2 x>1']],
    [
      'a replaced step',
      ['a>1', 'b>2', 'c>3', 'd>4'],
      ['a>1', 'x>2', 'd>5'],
      1,
      ['alike a>1 a>1', 'first b>2 x>2', 'gone c>3 ', 'differs d>4 d>5'],
    ],
  ] as const)('%s', (_, was, is, index, rows) => expect(shown(was, is, index)).toEqual(rows))

  it('counts steps too far away to be shown', () => {
    const long = Array.from({ length: 3_000 }, (_, n) => `e${n}>s`)
    const { rows, before, after } = alignRuns(runOf(...long), runOf(...long.slice(0, 400), 'x>y'), 400)
    expect([rows.length, before, after, rows[200]?.kind]).toEqual([2_200, 200, 600, 'first'])
  })
})

const stimulus = (seq: number, rest: Partial<Stimulus> = {}): Stimulus => ({
  line: 'stimulus',
  seq,
  t: seq * 500,
  kind: 'external',
  to: 0,
  ...rest,
})
const trace = traceSource({
  actors: actorEntries(['app', 'app'], ['app/lamp', 'lamp'], ['app/lamp/bulb', 'bulb']),
  stimuli: [
    stimulus(0, { event: { type: 'switch', by: 'me' } }),
    stimulus(1, {
      kind: 'leaf',
      from: 2,
      to: 1,
      event: { type: 'xstate.promise.resolve', data: { watts: 40 } },
    }),
    stimulus(2, { kind: 'leaf', from: 2, to: 1, event: { type: 'x' }, anchor: { phase: 'start', n: 0 } }),
    stimulus(3, { kind: 'timer', to: 1, event: { type: 'after' } }),
    stimulus(4, { kind: 'stop' }),
  ],
  steps: stepRecords([
    { actor: 1, type: 'switch', value: 'fetching', cause: 0 },
    { actor: 1, type: 'done', value: 'lit', cause: 1 },
    { actor: 0, type: 'told', value: 'ready', cause: 2, by: 1, from: 1 },
    { actor: 1, type: 'after', value: 'lit', cause: 3 },
    { actor: 1, type: 'xstate.stop', value: 'lit', cause: 4, status: 'stopped' },
  ]),
})
const all = [0, 1, 2, 3, 4]

it('describes a run as numbered steps, each with its effects', () => {
  expect(stepsAsText(describeSteps(trace, all), 2)).toBe(
    [
      '1. Send switch {"by":"me"} to app.',
      '   → lamp is fetching',
      '2. After 500 ms: lamp/bulb resolves with {"watts":40}.',
      '   → lamp is lit',
      '   → app is ready',
      '3. After 1.0 s: Fire the timer of lamp: after.',
      '4. After 500 ms: Stop app.',
      '… and 2 more',
      '',
    ].join('\n'),
  )
  expect(describeSteps(trace, [1]).map(({ seq, step, states }) => [seq, step, states])).toEqual([
    [1, 1, ['lamp is lit', 'app is ready']],
  ])
  expect(stepsAsCode(trace, all)).toBe(
    [
      "stage.send({ type: 'switch', by: 'me' })",
      'stage.advance(500)',
      "stage.answer('app/lamp/bulb', { resolves: { watts: 40 } }, 'app/lamp')",
      'stage.advance(1000)',
      'stage.advance(500)',
      'stage.stop()',
      '',
    ].join('\n'),
  )
})

it('a part of a run is renumbered, and refers only to causes within it', () => {
  const range = { kind: 'range', from: 10, until: 30 } as const
  expect(partOf(trace, range).steps.map(({ seq, by, event }) => [seq, by, event.type])).toEqual([
    [0, undefined, 'done'],
    [1, 0, 'told'],
    [2, undefined, 'after'],
  ])
  expect(
    partOf(trace, { kind: 'steps', seqs: Uint32Array.of(2) }).steps.map(({ seq, by }) => [seq, by]),
  ).toEqual([[0, undefined]])
  expect(stimuliOf(trace, range)).toEqual([1, 2, 3])
  expect(wholeCalls(trace, { kind: 'steps', seqs: Uint32Array.of(3) })).toEqual({
    kind: 'steps',
    seqs: Uint32Array.of(0, 1, 2, 3, 4),
  })
})

const counts = (id: string, entered: number): MachineCounts => ({
  id,
  hash: id,
  states: [
    { path: '', type: 'compound', entered: 1 },
    { path: 'a', type: 'atomic', entered },
  ],
  transitions: [{ name: '#0', event: 'go', targets: ['a'], actions: [], guard: 'may', taken: entered }],
  guards: [{ transition: '#0', guard: 'may', passed: entered, failed: 0 }],
})
const report = toReport(
  [{ system: 's', startedAt: 'now', how: 'recorded', reason: 'unknown system "s"; known here: x; so it is' }],
  [counts('one', 0), counts('two', 3)],
)

it('coverage is sorted by any column, and names parts never reached', () => {
  const ids = (column: 'machine' | 'states', isDescending: boolean) =>
    sortedMachines(report.machines, { column, isDescending }).map(({ id }) => id)
  expect([ids('machine', true), ids('states', false), ids('states', true)]).toEqual([
    ['two', 'one'],
    ['one', 'two'],
    ['two', 'one'],
  ])
  const [one] = report.machines
  expect(one && unreachedOf(one).map(({ kind, words }) => `${kind} ${words}`)).toEqual([
    'state a',
    'transition anywhere · go [may] → a',
    'guard anywhere · go: may never returned true',
    'guard anywhere · go: may never returned false',
  ])
  expect(coverageAsText(report).split('\n').slice(0, 3)).toEqual([
    's now: recorded, unknown system "s"; known here: x; so it is',
    'all  states 3 of 4 (75 %)  transitions 1 of 2 (50 %)  guards 1 of 4 (25 %)',
    'one  states 1 of 2 (50 %)  transitions 0 of 1 (0 %)  guards 0 of 2 (0 %)',
  ])
  expect(whyInWords(report.traces[0]?.reason ?? '')).toBe('its machines are not available here; so it is')
})

it('a test names its machines, files and import', () => {
  const actors = actorEntries(['app', 'app'], ['app/a#2/deep', 'x'], ['app/a', 'x'], ['app/a#2', 'x'])
  expect(machinePaths(actors)).toEqual(['app', 'app/a', 'app/a/deep'])
  expect(systemImport('chartroom', './m.ts').name).toBe("systems['chartroom']")
  expect(systemImport('shop/till two', './m.ts')).toEqual({
    import: "import { tillTwo } from './m.ts'",
    name: 'tillTwo',
  })
  expect([fileNameOf('The lamp, lit!', 's'), fileNameOf(' ', 'shop/till')]).toEqual([
    'the-lamp-lit',
    'shop-till',
  ])
  expect(EXPORTS.map(form => exportName(form, 'run.trace.gz', form.isOfMachine ? 'a/b' : undefined))).toEqual(
    [
      'run.perfetto.json',
      'run.har',
      'run.otlp.jsonl',
      'run.sequence.mmd',
      'a-b.mmd',
      'a-b.scxml',
      'run.trace.gz',
    ],
  )
})
