// Values that share objects, contain themselves, or are deep or wide: every computation over a trace ends, in a time
// that fits the file's size, and gives the same as for values that are written out.
import { isDeepStrictEqual } from 'node:util'
import { assign, createMachine } from 'xstate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import {
  createReplay,
  deriveSteps,
  drive,
  failsWhen,
  minimize,
  verify,
} from '../../src/services/replay/index.ts'
import { exportTrace, readTrace } from '../../src/public/devtools/replay.ts'
import {
  describeTraceDiff,
  diffTraces,
  type ReplayableTrace,
  type StepRecord,
  decodeValue,
  encodeValue,
  isEqual,
  matchesDeep,
} from '../../src/trace/index.ts'
import { jsonStart, jsonText } from '../../src/trace/codec/json-text.ts'
import { changedPaths, diffValues } from '../../src/trace/diff.ts'
import { describe as describeShown } from '../../src/ui/console/state/json-nodes.ts'
import { diffSteps } from '../../src/ui/console/state/diff-walk.ts'
import { searchValue } from '../../src/ui/console/state/search.ts'
import { ShownTree } from '../../src/ui/console/state/shown-tree.ts'
import { assertProperty, volume } from '../harness/volume.ts'

const KEYS = volume(5_000, 20_000)

const keeper = (by: number) =>
  createMachine({
    id: 'keeper',
    context: { kept: null as unknown, count: 0 },
    on: {
      keep: {
        actions: assign({
          kept: ({ event }) => (event as { value?: unknown }).value,
          count: ({ context }) => context.count + by,
        }),
      },
    },
  })

const [same, changed] = [{ keeper: keeper(1) }, { keeper: keeper(2) }]

/** Objects that each refer several times to the next. */
function graph(levels: number, width: number, leaf: unknown = { text: 'leaf' }): unknown {
  let value = leaf
  for (let left = levels; left > 0; left--)
    value = left % 3 === 0 ? Array.from({ length: width }, () => value) : { a: value, b: value, left }
  return value
}

/** Each level has two objects, which both refer to both of the next. */
function diamonds(levels: number): unknown {
  let [one, other]: unknown[] = [{ end: 1 }, { end: 2 }]
  for (let left = levels; left > 0; left--)
    [one, other] = [
      { one, other },
      { one, other, left },
    ]
  return { one, other }
}

function mixed(levels: number): unknown {
  let value: unknown = { text: 'leaf' }
  for (let left = levels; left > 0; left--) {
    const error = Object.assign(new Error('no', { cause: value }), { more: value })
    value =
      left % 3 === 0 ? new Map([[value, value]]) : left % 3 === 1 ? new Set([{ value }, [value]]) : error
  }
  return value
}

function cycles(): unknown {
  const all = Array.from({ length: volume(8, 12) }, (_, id) => ({ id, knows: [] as unknown[] }))
  for (const one of all) one.knows.push(...all)
  return all
}

function deep(length: number): unknown {
  let value: object = { end: true }
  for (let left = length; left > 0; left--) value = { next: value }
  return value
}

async function recorded(values: readonly unknown[], steps = true): Promise<ReplayableTrace> {
  const recording = record(keeper(1), { steps })
  recording.start()
  for (const value of values) recording.actor.send({ type: 'keep', value })
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** A file in which every value of this name is replaced by JSON that no recorder would write. */
async function forged(json: unknown): Promise<ReplayableTrace> {
  const recording = record(keeper(1))
  recording.start()
  recording.actor.send({ type: 'keep', value: 'PLACE' })
  recording.actor.send({ type: 'keep', value: ['PLACE'] })
  const read = await readTrace(recording.lines().join('\n').replaceAll('"PLACE"', JSON.stringify(json)))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

const bomb = (parts: number) => ({
  $: 'shared',
  parts: Array.from({ length: parts }, (_, at) =>
    at === 0
      ? ['x']
      : [
          { $: 'part', at: at - 1 },
          { $: 'part', at: at - 1 },
        ],
  ),
  value: { $: 'part', at: parts - 1 },
})

function run<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

const stepsOf = (trace: ReplayableTrace, systems: typeof same): readonly StepRecord[] => {
  const derived = deriveSteps(trace, systems)
  return derived.kind === 'trace' ? derived.trace.steps : []
}

/** Runs everything that walks values of a trace; each must end. */
async function everything(trace: ReplayableTrace): Promise<void> {
  verify(trace, same)
  const report = verify(trace, changed)
  expect(report.outcome).toBe('diverged')
  jsonText(report)
  await createReplay(trace, same).run({ speed: 'max' })
  drive(trace, same)
  drive(trace, changed)
  await minimize(
    trace,
    same,
    failsWhen('it is kept', ({ actor }) => actor.getSnapshot().context.count > 0),
    { limit: 1 },
  )
  const steps = stepsOf(trace, same)
  expect(describeTraceDiff(diffTraces(trace, { ...trace, steps: steps.slice(0, 1) }))).toEqual(
    expect.anything(),
  )
  for (const format of ['perfetto', 'har', 'otlp', 'mermaid'] as const)
    exportTrace({ ...trace, steps }, format)
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1]
    matchesDeep({ kind: 'holds', text: 'not there' }, step, before)
    matchesDeep({ kind: 'changed', path: '/kept' }, step, before)
    matchesDeep({ kind: 'context', path: '/kept', value: 'x*' }, step, before)
    jsonText(step)
    const { context } = step
    run(diffSteps(before?.context, context))
    run(
      diffSteps(decodeValue(encodeValue(context)), decodeValue(encodeValue({ more: 1, ...Object(context) }))),
    )
    run(searchValue({ context }, 'leaf'))
    run(searchValue({ context }, 'not there'))
    const tree = new ShownTree({ context }, { chosen: new Map() })
    for (let row = 0; row < Math.min(tree.size, 100); row++) describeShown(tree.row(row)?.value)
  }
}

describe('every computation over a trace ends', () => {
  test.each<[string, () => readonly unknown[]]>([
    ['30 objects that refer twice to the next', () => [graph(30, 2)]],
    ['190 levels', () => [graph(190, 2), graph(190, 5)]],
    ['diamonds', () => [diamonds(60)]],
    ['maps, sets and errors', () => [mixed(volume(30, 60))]],
    ['objects that know each other', () => [cycles()]],
    ['a chain of 1,000,000 objects', () => [deep(1_000_000)]],
    [`${KEYS} keys`, () => [Object.fromEntries(Array.from({ length: KEYS }, (_, at) => [`k${at}`, { at }]))]],
    [
      'objects that are shared across events',
      () => Array.from({ length: 4 }, (_, at) => ({ at, of: SHARED })),
    ],
  ])('for %s', async (_name, make) => {
    const values = make()
    for (const steps of [true, false]) await everything(await recorded(values, steps))
  })

  test.each([20, 60, 180])(
    'for a forged file of %i parts that each refer twice to the one before',
    async parts => {
      await everything(await forged(bomb(parts)))
    },
  )
})

const SHARED = graph(40, 2)

/** Writes a value out, so that nothing in it is shared. */
function expanded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(expanded)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expanded(item)]))
}

/** Lists by recursion the paths at which two values differ. */
function naiveDiff(a: unknown, b: unknown, path = ''): string[] {
  if (isDeepStrictEqual(a, b)) return []
  const areObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
  if (!areObjects || Array.isArray(a) !== Array.isArray(b)) return [path]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.flatMap(key =>
    Object.hasOwn(a, key) && Object.hasOwn(b, key)
      ? naiveDiff(Reflect.get(a, key), Reflect.get(b, key), `${path}/${key}`)
      : [`${path}/${key}`],
  )
}

function naiveCount(value: unknown, wanted: string): number {
  if (typeof value !== 'object' || value === null) return String(value).includes(wanted) ? 1 : 0
  return Object.entries(value).reduce((sum, [key, item]) => {
    const isNamed = key.includes(wanted) && (typeof item === 'object' || !String(item).includes(wanted))
    return sum + (isNamed ? 1 : 0) + naiveCount(item, wanted)
  }, 0)
}

/** Small graphs: each node refers to some of those before it. */
const graphs = fc
  .array(fc.tuple(fc.constantFrom('list', 'record'), fc.array(fc.nat(50), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map(nodes => {
    const all: unknown[] = ['a', 1, null, { ab: 'b' }]
    for (const [kind, uses] of nodes) {
      const items = uses.map(at => all[all.length - 1 - (at % Math.min(all.length, 4))])
      all.push(kind === 'list' ? items : Object.fromEntries(items.map((item, at) => [`${'abc'[at]}`, item])))
    }
    return all.at(-1)
  })

describe('the results are those for values that are written out', () => {
  test('comparisons and differences', () => {
    assertProperty(
      fc.property(graphs, graphs, (a, b) => {
        const [left, right] = [expanded(a), expanded(b)]
        expect(isEqual(a, left)).toBe(true)
        expect(isEqual(a, b)).toBe(isDeepStrictEqual(left, right))
        const diff = diffValues(a, b, 10_000)
        expect(changedPaths(diff).sort()).toEqual(naiveDiff(left, right).sort())
      }),
      { numRuns: 200 },
    )
  })

  test('searches, texts and codes', () => {
    assertProperty(
      fc.property(graphs, value => {
        const whole = expanded(value)
        expect(run(searchValue({ value }, 'b')).total).toBe(naiveCount(whole, 'b'))
        expect(jsonText(value)).toBe(JSON.stringify(whole))
        const text = JSON.stringify(whole)
        expect(jsonStart(value, 20)).toBe(text.length > 20 ? `${text.slice(0, 17)}...` : text)
        expect(isDeepStrictEqual(decodeValue(encodeValue(value)), whole)).toBe(true)
        const step = { context: value } as StepRecord
        expect(matchesDeep({ kind: 'holds', text: 'b' }, step, undefined)).toBe(text.includes('b'))
      }),
      { numRuns: 200 },
    )
  })

  test('differences in the console, applied in order', () => {
    assertProperty(
      fc.property(graphs, graphs, (a, b) => {
        const shared = run(diffSteps(a, b))
        const tree = run(diffSteps(expanded(a), expanded(b)))
        expect(shared.changes.map(({ mark, pointer }) => [mark, pointer])).toEqual(
          tree.changes.map(({ mark, pointer }) => [mark, pointer]),
        )
        expect(shared.total).toBe(tree.total)
      }),
      { numRuns: 200 },
    )
  })
})

test('hints name the class and the secret of an earlier event', async () => {
  const machine = (by: number) =>
    createMachine({
      id: 'keeper',
      context: { kept: null as unknown, length: 0 },
      on: {
        keep: { actions: assign({ kept: ({ event }) => (event as { value?: unknown }).value }) },
        use: { actions: assign({ length: ({ context }) => String(Object(context.kept).name).length + by }) },
      },
    })
  for (const steps of [true, false]) {
    const recording = record(machine(0), { steps, keyframeEvery: 2 })
    recording.start()
    recording.actor.send({ type: 'keep', value: new File(['x'], 'a-file.txt') })
    recording.actor.send({ type: 'use' })
    recording.actor.send({ type: 'use' })
    const read = await readTrace(recording.lines().join('\n'))
    if (read.kind !== 'trace') throw new Error(read.message)
    expect(verify(read.trace, { keeper: machine(0) })).toMatchObject({
      outcome: 'diverged',
      hints: expect.arrayContaining([
        expect.stringMatching(/^File at \/event\/value of the event keep \(#0\) is a platform object/),
      ]),
    })
  }
})

test('a DOMException is one again, and halves are numbers again', async () => {
  const trace = await recorded([new DOMException('stopped', 'AbortError')])
  const replay = createReplay(trace, same)
  replay.step()
  const { kept } = replay.actor.getSnapshot().context as { kept: DOMException }
  expect([kept instanceof DOMException, kept.name, kept.message, kept.code]).toEqual([
    true,
    'AbortError',
    'stopped',
    20,
  ])
  const half = (globalThis as { Float16Array?: new (list: number[]) => object }).Float16Array ?? Float32Array
  expect(decodeValue(encodeValue(new half([1.5])))).toEqual(new half([1.5]))
})
