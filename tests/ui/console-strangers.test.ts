// What a page, a tab or a server sends to the console may be anything: nothing is thrown or rejected, and the next
// message is read.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMachine } from 'xstate'
import { hookMessages } from '../../src/extension/hook-messages.ts'
import { inspectedPage } from '../../src/extension/inspected-page.ts'
import { openPageWire } from '../../src/extension/page-wire.ts'
import { attach } from '../../src/services/control/index.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { MessageDeduper, openWindowSource, readSaid } from '../../src/ui/console/attach/app-sources.ts'
import { createForeignRecording } from '../../src/ui/console/attach/foreign-recording.ts'
import { linkSystems } from '../../src/ui/console/attach/systems-link.ts'
import { Systems } from '../../src/ui/console/attach/systems.ts'
import { RemoteRecording } from '../../src/ui/console/attach/remote-recording.ts'
import { fromApp, fromWindow } from '../../src/ui/console/attach/tab-messages.ts'
import { type FromApp, type FromWindow, openWire } from '../../src/ui/console/attach/tab-protocol.ts'
import { exposeSystems } from '../../src/vite/page/exposed.ts'
import { assertProperty } from '../harness/volume.ts'

const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => void unhandled.push(error)
const ends: (() => void)[] = []
beforeEach(() => {
  process.on('unhandledRejection', onUnhandled)
  process.on('uncaughtException', onUnhandled)
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
  // Rejections of the test are reported before the next turn.
  await new Promise(setImmediate)
  process.off('unhandledRejection', onUnhandled)
  process.off('uncaughtException', onUnhandled)
  vi.unstubAllGlobals()
  expect(unhandled.splice(0)).toEqual([])
})

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
})

/** The lines of a recording that this machine made. */
function lampLines(): string[] {
  const { actor, recording } = attach(lamp)
  actor.start()
  actor.send({ type: 'switch' })
  actor.stop()
  return [...encodeLines(recording.trace as ReplayableTrace)].filter(line => line !== '')
}
const LINES = lampLines()

const deep = (levels: number): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value }
  return value
}
const deepText = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** Texts where JSON is expected: none, of wrong types, deep, of the codec, damaged lines of a recording. */
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.json(),
  fc.constantFrom(
    '',
    'null',
    '{}',
    '[]',
    '{"$":"date","value":"x"}',
    '{"$":"part","at":9}',
    deepText(10_000),
    '{"a":'.repeat(5_000),
    '"'.concat('x'.repeat(1_000_000), '"'),
    JSON.stringify(deep(2_000)),
    JSON.stringify({ state: null }),
    JSON.stringify({ state: {}, actors: [], timers: [] }),
    JSON.stringify(['send', null]),
    JSON.stringify(['breakOn', null]),
    JSON.stringify(['time.setSpeed', 'fast']),
    JSON.stringify(['go', null, null, null]),
  ),
  fc.subarray(LINES).map(lines => lines.join('\n')),
  fc
    .tuple(fc.constantFrom(...LINES), fc.nat(), fc.string({ maxLength: 3 }))
    .map(([line, at, put]) => line.slice(0, at % line.length) + put + line.slice((at % line.length) + 1)),
)

const field = fc.oneof(
  text,
  fc.nat(3),
  fc.boolean(),
  fc.constantFrom(undefined, null, Number.NaN, -1, 2 ** 53, deep(3_000), new Blob(['x'])),
  fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withNullPrototype: true }),
)

const KINDS =
  'here run records state file drive did going now systems gone unreadable hello start stop save moment bookmark do halt alive show closed dock toString __proto__ constructor'.split(
    ' ',
  )
const FIELDS = {
  run: fc.oneof(fc.constantFrom('one', 'two'), field),
  isRecording: fc.oneof(fc.boolean(), field),
  dropped: fc.oneof(fc.nat(2), field),
  at: fc.oneof(fc.nat(2), fc.dictionary(fc.string(), fc.string()), field),
  records: text,
  ask: fc.oneof(fc.nat(2), field),
  bytes: fc.oneof(fc.constantFrom('%%', 'AAAA'), field),
  failure: field,
  news: text,
  result: text,
  systems: fc.oneof(fc.array(fc.record({ id: field, label: field, isRunning: field })), field),
  shown: field,
  step: field,
  note: field,
  act: text,
  system: field,
  problem: field,
} satisfies Readonly<Record<string, fc.Arbitrary<unknown>>>

const message = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom(...KINDS), ...FIELDS }, { requiredKeys: ['kind'] }),
  },
  { weight: 1, arbitrary: field },
)

/** What only a caller in the same page can pass: objects that throw when they are read. */
const throwing: readonly (() => unknown)[] = [
  () => Object.defineProperty({}, 'kind', { get: trap }),
  () => Object.defineProperty({ kind: 'run' }, 'run', { get: trap, enumerable: true }),
  () => new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap }),
  () => new Proxy({ kind: 'here' }, { ownKeys: trap, getOwnPropertyDescriptor: trap }),
]

function trap(): never {
  throw new Error('It was read.')
}

/** Generators must not read such objects. */
const anyMessage = fc.oneof(
  { weight: 9, arbitrary: message.map(value => () => value) },
  { weight: 1, arbitrary: fc.nat(throwing.length - 1).map(at => throwing[at] ?? trap) },
)

const TYPES: Readonly<Record<string, readonly string[]>> = {
  run: ['string'],
  isRecording: ['boolean'],
  dropped: ['number'],
  at: ['number', 'object'],
  records: ['string'],
  ask: ['number'],
  bytes: ['object'],
  failure: ['string'],
  news: ['string'],
  result: ['string'],
  systems: ['object'],
  shown: ['number'],
  step: ['number'],
  note: ['string'],
  act: ['string'],
  system: ['number'],
  problem: ['string'],
}

/** The fields of a message whose type is none that a field of this name may have. */
function strangeTypes(read: FromApp | FromWindow | undefined): string[] {
  const { kind, ...rest } = read ?? { kind: 'here' }
  return Object.entries(rest).flatMap(([name, value]) =>
    TYPES[name]?.includes(typeof value) === true ? [] : [`${kind}: ${name}`],
  )
}

test('reading a message of an app or a window never throws, and what it returns has the types of its kind', () => {
  assertProperty(
    fc.property(anyMessage, make => {
      const value = make()
      expect([...strangeTypes(fromApp(value)), ...strangeTypes(fromWindow(value))]).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

/** A recording that is connected to whatever the page answers, whose clock the test advances. */
function panel(answers: { next: unknown }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const recording = new RemoteRecording()
  const wire = openPageWire({
    run: code => Promise.resolve(code.includes('.take(') ? answers.next : undefined),
    reload: () => undefined,
    onNavigated: () => undefined,
  })
  ends.push(recording.connect(wire, () => performance.now()))
  return recording
}

const run = (id: string) => ({ kind: 'run', run: id, isRecording: true, elapsed: 0, dropped: 0 })
const records = (id: string, at: number, lines: readonly string[]) => ({
  kind: 'records',
  run: id,
  at,
  records: lines.join('\n'),
})

test.each([
  ['null', null],
  ['no JSON', 'no JSON'],
  ['no list', '{}'],
  ['a number', 5],
  ['an object', {}],
  ['a list of null', '[null]'],
  ['a message of no kind', '[{"kind":"nothing"}]'],
  ['a file that is not base64', '[{"kind":"file","ask":0,"bytes":"%"}]'],
])('a page that answers a panel with %s is named, and its next answer is shown', async (_, answer) => {
  const answers: { next: unknown } = { next: answer }
  const recording = panel(answers)
  await vi.advanceTimersByTimeAsync(250)
  expect(recording.problem()).toMatch(/^(?:its answer|one of its messages) is not a (?:list|message)/)
  answers.next = JSON.stringify([run('one'), records('one', 0, LINES)])
  await vi.advanceTimersByTimeAsync(150)
  expect(recording.problem()).toBeUndefined()
  expect(recording.trace.steps.map(({ event }) => event.type)).toEqual([
    'xstate.init',
    'switch',
    'xstate.stop',
  ])
})

test('a page without an answer, or whose code throws, is asked again', async () => {
  const answers: { next: unknown } = { next: undefined }
  const recording = panel(answers)
  await vi.advanceTimersByTimeAsync(250)
  answers.next = JSON.stringify([run('one'), records('one', 0, LINES)])
  await vi.advanceTimersByTimeAsync(150)
  expect(recording.trace.steps).toHaveLength(3)
})

test('the developer tools that throw give no answer', async () => {
  const page = inspectedPage({
    panels: { create: () => undefined },
    inspectedWindow: {
      eval: () => {
        throw new Error('Extension context invalidated.')
      },
      reload: () => undefined,
    },
    network: { onNavigated: { addListener: () => undefined } },
  })
  expect(await page.run('1')).toBeUndefined()
})

test('records that are not those of a recording are damage that the panel shows, as in a file', async () => {
  const [header = '', ...rest] = LINES
  const answers: { next: unknown } = {
    next: JSON.stringify([
      run('one'),
      records('one', 0, [header, '{"line":"step","seq":0}', 'null', ...rest]),
    ]),
  }
  const recording = panel(answers)
  await vi.advanceTimersByTimeAsync(50)
  expect(recording.trace.damage.map(({ message: reason }) => reason)).toEqual([
    'is a damaged step: "t" is missing or invalid',
    'is not an object',
  ])
  expect(recording.trace.steps).toHaveLength(3)
  answers.next = JSON.stringify([run('two'), records('two', 0, ['{"line":"step"}'])])
  await vi.advanceTimersByTimeAsync(150)
  expect(recording.problem()).toMatch(/^its recording cannot be read: not a trace/)
})

test('300 conversations of a hostile page: the panel reads the next recording, and each step has its actor', async () => {
  const answers: { next: unknown } = { next: '[]' }
  const recording = panel(answers)
  const shown = vi.fn<() => void>(() => {
    for (const { actor, event } of recording.trace.steps)
      expect([recording.trace.actors[actor], typeof event.type]).toEqual([expect.anything(), 'string'])
    for (const { label } of recording.systems().entries) expect(typeof label).toBe('string')
  })
  recording.subscribe(shown)
  void recording.control.open()
  let round = 0
  await assertProperty(
    fc.asyncProperty(
      fc.oneof(
        { weight: 9, arbitrary: fc.array(message, { maxLength: 6 }) },
        { weight: 1, arbitrary: field },
      ),
      async said => {
        answers.next = Array.isArray(said) ? textOf(said) : said
        recording.start()
        recording.bookmark('note', 0)
        void recording.download().catch(() => undefined)
        await vi.advanceTimersByTimeAsync(120)
        const id = `last ${(round += 1)}`
        answers.next = JSON.stringify([run(id), records(id, 0, LINES)])
        await vi.advanceTimersByTimeAsync(120)
        expect(recording.trace.steps).toHaveLength(3)
      },
    ),
    { numRuns: 300 },
  )
  expect(shown).toHaveBeenCalled()
})

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // A bigint, or too deep.
    return '['
  }
}

test('a hostile window next to the app: the app goes on, and a window that follows is served', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('window', Object.assign(new EventTarget(), { crypto: globalThis.crypto }))
  const { actor, recording, control } = attach(lamp)
  actor.start()
  const systems = new Systems({ read: () => undefined, write: () => undefined })
  systems.add({ name: 'lamp', recording, control, isRunning: () => true })
  const sent: FromApp[] = []
  const listeners: ((message: FromWindow) => void)[] = []
  const docked = vi.fn<(at: object) => void>()
  ends.push(
    linkSystems({
      systems,
      wire: {
        send: one => void sent.push(one),
        onMessage: listener => void listeners.push(listener),
        close: () => undefined,
      },
      newId: () => 'run',
      onDock: docked,
    }),
    () => actor.stop(),
  )
  const receive = (value: unknown) => {
    const own = fromWindow(value)
    if (own) for (const listener of listeners) listener(own)
  }
  await assertProperty(
    fc.asyncProperty(fc.array(message, { maxLength: 6 }), async said => {
      for (const one of said) receive(one)
      await Promise.resolve()
    }),
    { numRuns: 500 },
  )
  receive({ kind: 'closed' })
  sent.length = 0
  receive({ kind: 'hello' })
  expect(sent.map(({ kind }) => kind)).toContain('records')
})

test('a channel ignores what is no message, and reads the next one', async () => {
  const taken: FromWindow[] = []
  const wire = openWire<FromApp, FromWindow>('stranger-tab-1', fromWindow)
  wire.onMessage(one => void taken.push(one))
  const other = new BroadcastChannel('chartroom:console:stranger-tab-1')
  ends.push(wire.close, () => other.close())
  for (const one of [
    null,
    5,
    'hello',
    [],
    {},
    { kind: 5 },
    { kind: 'do' },
    { kind: 'dock', at: 5 },
    { kind: 'hello' },
  ])
    other.postMessage(one)
  await expect.poll(() => taken).toEqual([{ kind: 'hello' }])
})

test('what code of a page passes to its own recorder is ignored unless it is a message', () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { crypto: globalThis.crypto }))
  const end = exposeSystems(new Systems({ read: () => undefined, write: () => undefined }))
  ends.push(end)
  const { __CHARTROOM__: exposed } = globalThis as unknown as {
    __CHARTROOM__: { send(panel: unknown, text: unknown): void; take(panel: unknown): string }
  }
  assertProperty(
    fc.property(fc.oneof(text, field), fc.oneof(fc.constant('p'), field), (value, name) => {
      exposed.send(name, value)
      expect(Array.isArray(JSON.parse(exposed.take(name)))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('what a page puts in place of the hook is no list of messages, or each message is checked', () => {
  const recording = createForeignRecording(() => 0)
  assertProperty(
    fc.property(
      fc.oneof(
        text,
        field,
        fc.array(field).map(messages => textOf({ messages })),
      ),
      answer => {
        for (const one of hookMessages(answer) ?? []) recording.take(one, 'page')
        recording.trace.settle()
      },
    ),
    { numRuns: 1_000 },
  )
  expect(hookMessages('{"messages":["a",1]}')).toEqual(['a', 1])
  for (const none of [null, 'null', '{}', '{"messages":5}', 'x', 5])
    expect(hookMessages(none)).toBeUndefined()
})

test('a server that sends something else is ignored', () => {
  const take = vi.fn<(text: string, from: string) => void>()
  const deduper = new MessageDeduper({ take, disconnected: () => undefined })
  const said = fc.record(
    { run: field, n: field, from: field, text: field, disconnected: field, apps: field },
    { requiredKeys: [] },
  )
  assertProperty(
    fc.property(fc.oneof(said.map(textOf), text, field), value => {
      const read = readSaid(value)
      if (read) deduper.receive(read)
    }),
    { numRuns: 1_000 },
  )
  for (const [one, from] of take.mock.calls) expect([typeof one, typeof from]).toEqual(['string', 'string'])
})

test('an opener that posts anything is counted as rejected', () => {
  const recording = createForeignRecording(() => 0)
  const opener = { postMessage: () => undefined }
  const page = Object.assign(new EventTarget(), { opener, location: { origin: 'http://127.0.0.1:1' } })
  const window = Object.assign(page, { self: page, top: page }) as unknown as Window
  const source = openWindowSource({
    window,
    take: one => recording.take(one, 'window'),
    onStranger: () => undefined,
  })
  ends.push(source.close)
  assertProperty(
    fc.property(anyMessage, make => {
      const data = make()
      const event = Object.assign(new Event('message'), {
        source: opener,
        origin: 'http://localhost:3',
        data,
      })
      window.dispatchEvent(event)
    }),
    { numRuns: 1_000 },
  )
  expect([...recording.report().refused.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(900)
})
