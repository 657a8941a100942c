// Other apps reconnect, mount twice, send without end or send nonsense: the displayed trace stays correct and
// bounded.
import fc from 'fast-check'
import { setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { foreignTrace, inspectedRun, stepsIn } from '../harness/inspected.ts'
import { assertProperty } from '../harness/volume.ts'

const lamp = setup({}).createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
})
let clock = 1_700_000_000_000
const eventOf = (type: string, sessionId: string, rest: object = {}) => ({
  type: `@xstate.${type}`,
  sessionId,
  _version: '0.7.2',
  createdAt: String((clock += 1)),
  id: null,
  ...rest,
})
const made = (session: string, parentId?: string) =>
  eventOf('actor', session, {
    name: 'lamp',
    parentId,
    definition: '{"id":"lamp","initial":"off","states":{"off":{}}}',
    snapshot: {},
  })
const started = (session: string) => [
  eventOf('event', session, { event: { type: 'xstate.init' } }),
  eventOf('snapshot', session, {
    event: { type: 'xstate.init' },
    snapshot: { status: 'active', value: 'off' },
  }),
]
const stopped = (session: string) =>
  eventOf('snapshot', session, {
    event: { type: 'xstate.stop' },
    snapshot: { status: 'stopped', value: 'off' },
  })
const switched = (session: string, value = 'on') => [
  eventOf('event', session, { event: { type: 'switch' } }),
  eventOf('snapshot', session, { event: { type: 'switch' }, snapshot: { status: 'active', value } }),
]

describe('strict mode', () => {
  test('an actor that was never started is hidden, and counted', () => {
    const trace = foreignTrace([made('x:0'), made('x:1'), ...started('x:1')])
    expect(stepsIn(trace)).toEqual(['lamp xstate.init "off" active '])
    expect(trace.report().hidden).toBe(1)
  })

  test('an actor that is stopped right after its start is hidden; its replacement keeps the name', () => {
    const trace = foreignTrace([
      made('x:0'),
      ...started('x:0'),
      stopped('x:0'),
      ...started('x:0'),
      ...switched('x:0'),
    ])
    expect(stepsIn(trace)).toEqual(['lamp xstate.init "off" active ', 'lamp switch "on" active '])
    expect(trace.report().hidden).toBe(1)
  })

  test('one that took events is shown to its end, and the next one next to it', () => {
    const trace = foreignTrace([
      made('x:0'),
      ...started('x:0'),
      ...switched('x:0'),
      stopped('x:0'),
      ...started('x:0'),
    ])
    expect(stepsIn(trace)).toEqual([
      'lamp xstate.init "off" active ',
      'lamp switch "on" active ',
      'lamp xstate.stop "off" stopped ',
      'lamp#2 xstate.init "off" active ',
    ])
    expect(trace.report().hidden).toBe(0)
  })
})

describe('a restored connection', () => {
  const messages = [made('x:0'), ...started('x:0'), ...switched('x:0')].map(message =>
    JSON.stringify(message),
  )

  test('repeated messages are not shown twice, and the trace continues', () => {
    const trace = foreignTrace([])
    for (const message of messages) trace.take(message, 'first')
    trace.disconnected('first')
    const later = switched('x:0', 'off').map(message => JSON.stringify(message))
    for (const message of [...messages, ...later]) trace.take(message, 'second')
    expect(stepsIn(trace)).toEqual([
      'lamp xstate.init "off" active ',
      'lamp switch "on" active ',
      'lamp switch "off" active ',
    ])
  })

  test('a reloaded app is a new one; the previous one has ended', () => {
    const trace = foreignTrace([])
    for (const message of messages) trace.take(message, 'first')
    trace.disconnected('first')
    for (const message of [made('x:0'), ...started('x:0')]) trace.take(message, 'second')
    trace.settle()
    expect(stepsIn(trace)).toEqual([
      'lamp xstate.init "off" active ',
      'lamp switch "on" active ',
      'lamp @statelyai.disconnected "on" stopped ',
      'lamp#2 xstate.init "off" active ',
    ])
  })

  test('two apps at once are distinguished, although both number their actors from zero', () => {
    const trace = foreignTrace([])
    for (const message of [made('x:0'), ...started('x:0')]) trace.take(message, 'first')
    for (const message of [made('x:0'), ...started('x:0')]) trace.take(message, 'second')
    trace.settle()
    expect(stepsIn(trace)).toEqual(['lamp xstate.init "off" active ', 'lamp#2 xstate.init "off" active '])
    expect(trace.report().apps).toBe(2)
  })

  test('an app that is already running is shown from then on', () => {
    const trace = foreignTrace([made('x:0'), ...switched('x:0'), ...switched('x:7')])
    expect(stepsIn(trace)).toEqual([
      'lamp @xstate.actor active ',
      'lamp switch "on" active ',
      'actor switch "on" active ',
    ])
  })
})

test("a machine without an id gets XState's name, without the part that changes from run to run", () => {
  const definition = '{"initial":"off","states":{"off":{}}}'
  const trace = foreignTrace([{ ...made('x:0'), name: 'x:0', definition }, ...started('x:0')])
  expect(trace.actors).toEqual([
    { line: 'actor', index: 0, path: '(machine)', kind: 'machine', src: '(machine)' },
  ])
})

describe('bounds', () => {
  test('with too many steps the older half is dropped; the current state of living actors stays', () => {
    const rest = Array.from({ length: 40 }, (_, at) => switched('x:1', at % 2 === 0 ? 'on' : 'off')).flat()
    const trace = foreignTrace([made('x:0'), ...started('x:0'), made('x:1'), ...started('x:1'), ...rest], {
      limits: { steps: 20 },
    })
    expect(trace.steps.length).toBeLessThanOrEqual(20)
    expect(trace.steps.length + trace.report().dropped).toBe(42)
    expect(stepsIn(trace)[0]).toBe('lamp xstate.init "off" active ')
    expect(trace.steps.map(({ seq }) => seq)).toEqual(trace.steps.map((_, at) => at))
    expect(trace.stimuli.map(({ seq }) => seq)).toEqual(trace.stimuli.map((_, at) => at))
    expect(trace.steps.slice(1).every(({ cause }) => trace.stimuli[cause] !== undefined)).toBe(true)
  })

  test.each([
    ['not a message', 42, 'is not an inspection event'],
    ['not JSON', '{"type":', 'is not JSON'],
    [
      'an event without an actor',
      { type: '@xstate.event', event: { type: 'a' } },
      '@xstate.event names no actor',
    ],
    [
      'a step without an event',
      { type: '@xstate.event', sessionId: 'x:0' },
      '@xstate.event contains no event',
    ],
    ['too much text', { ...made('x:0'), more: 'x'.repeat(2_000) }, 'is too long'],
    [
      'too many values',
      { ...made('x:0'), more: Array.from({ length: 9 }, () => Array(20).fill(1)) },
      'contains more than 100 values',
    ],
    [
      'a length without a list',
      { ...made('x:0'), more: Object.assign([], { length: 2 ** 31 }) },
      'holds a list that is too long',
    ],
  ])('%s is rejected with its reason', (_what, message, reason) => {
    const trace = foreignTrace([message], { limits: { messageText: 1_000, values: 100 } })
    expect([...trace.report().refused]).toEqual([[reason, 1]])
    expect(trace.steps).toEqual([])
  })

  test('a cycle and endless nesting are cut off', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    let deep: unknown = 'bottom'
    for (let at = 0; at < 10_000; at += 1) deep = [deep]
    const trace = foreignTrace([
      eventOf('snapshot', 'a', { event: { type: '' }, snapshot: { context: { cycle, deep } } }),
    ])
    expect(trace.steps[0]?.context).toMatchObject({ cycle: { self: { kind: 'cycle' } } })
    expect(JSON.stringify(trace.steps).length).toBeLessThan(1_000)
  })

  test('a machine with too many states is not drawn, and this is reported', () => {
    const states = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`s${at}`, {}]))
    const definition = JSON.stringify({ id: 'wide', initial: 's0', states })
    const trace = foreignTrace([{ ...made('x:0'), definition }, ...started('x:0')], {
      limits: { states: 20 },
    })
    expect(trace.header.machines).toEqual({})
    expect([...trace.report().undrawn]).toEqual([['wide', 'it has too many states']])
  })

  test('at most the maximum number of actors', () => {
    const all = Array.from({ length: 30 }, (_, at) => [made(`x:${at}`), ...started(`x:${at}`)]).flat()
    const trace = foreignTrace(all, { limits: { actors: 10 } })
    expect(trace.actors).toHaveLength(10)
    expect([...trace.report().refused]).toEqual([['exceeds the maximum number of actors', 60]])
  })
})

test('messages in any order: nothing is thrown, causes precede effects, numbers have no gaps', async () => {
  const { messages } = await inspectedRun(lamp, actor => actor.send({ type: 'switch' }))
  const session = fc.constantFrom('x:0', 'x:1', 'x:2')
  const type = fc.constantFrom('xstate.init', 'xstate.stop', 'go', '')
  const anything = fc.oneof(
    session.map(id => made(id)),
    fc.tuple(session, session).map(([id, up]) => made(id, up)),
    fc
      .tuple(session, session, type)
      .map(([id, sourceId, of]) => eventOf('event', id, { sourceId, event: { type: of } })),
    fc
      .tuple(session, type, fc.constantFrom('active', 'done', 'stopped'), fc.anything())
      .map(([id, of, status, context]) =>
        eventOf('snapshot', id, { event: { type: of }, snapshot: { status, value: context, context } }),
      ),
    fc.constantFrom(...messages),
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
  )
  assertProperty(
    fc.property(fc.array(anything, { maxLength: 40 }), messages => {
      const trace = foreignTrace(messages, { limits: { steps: 15, actors: 6 } })
      trace.steps.forEach(({ seq, by, cause, actor }, at) => {
        expect(seq).toBe(at)
        expect(by ?? -1).toBeLessThan(seq)
        expect(cause).toBeLessThan(Math.max(1, trace.stimuli.length))
        expect(trace.actors[actor]).toBeDefined()
      })
      expect(trace.steps.length).toBeLessThanOrEqual(15)
    }),
    { numRuns: 500 },
  )
})
