// Tests generated from traces: they are readable, pass as generated, and fail when the machine changes.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assign, createMachine, fromCallback, fromPromise, setup, type AnyEventObject } from 'xstate'
import { record } from '../../src/public/devtools/recording.ts'
import { stageTimes, vitestTest } from '../../src/public/devtools/replay.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { createStage } from '../../src/services/replay/index.ts'
import { ExportError } from '../../src/trace/index.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'
import { stormyRun } from '../harness/recorded-run.ts'

const MACHINE = `
import { assign, fromCallback, fromPromise, setup } from 'xstate'
export const harbour = setup({
  actors: {
    load: fromPromise(async () => ['Albatross']),
    weather: fromCallback(({ sendBack }) => sendBack({ type: 'wind', knots: 7 })),
  },
  delays: { patience: PATIENCE },
}).createMachine({
  id: 'harbour',
  context: { vessels: [], knots: 0 },
  invoke: { id: 'weather', src: 'weather' },
  on: { wind: { actions: assign({ knots: ({ event }) => event.knots }) } },
  initial: 'idle',
  states: {
    idle: { on: { open: 'loading' } },
    loading: {
      invoke: { id: 'load', src: 'load', onDone: { target: 'open', actions: assign({ vessels: ({ event }) => event.output }) } },
    },
    open: { after: { patience: 'closed' } },
    closed: {},
  },
})
`

const harbour = (timeoutMs: number) =>
  setup({
    types: { context: {} as { vessels: string[]; knots: number }, events: {} as AnyEventObject },
    actors: {
      load: fromPromise(async () => ['Albatross']),
      weather: fromCallback(({ sendBack }) => sendBack({ type: 'wind', knots: 7 })),
    },
    delays: { patience: timeoutMs },
  }).createMachine({
    id: 'harbour',
    context: { vessels: [], knots: 0 },
    invoke: { id: 'weather', src: 'weather' },
    on: { wind: { actions: assign({ knots: ({ event }) => event['knots'] as number }) } },
    initial: 'idle',
    states: {
      idle: { on: { open: 'loading' } },
      loading: {
        invoke: {
          id: 'load',
          src: 'load',
          onDone: { target: 'open', actions: assign({ vessels: ({ event }) => event.output }) },
        },
      },
      open: { after: { patience: 'closed' } },
      closed: {},
    },
  })

async function harbourTrace() {
  const clock = createVirtualClock()
  const recording = record(harbour(1500), { clock })
  recording.actor.start()
  recording.actor.send({ type: 'open' })
  await clock.advanceAsync(2000)
  return recording.trace
}

const RACE = {
  id: 'race',
  initial: 'ready',
  states: {
    ready: { on: { go: 'steady' } },
    steady: { after: { 5: 'late' }, on: { go: 'running' } },
    running: { after: { 3: 'home', 3.2: 'lost' } },
    home: { after: { 0: 'resting' } },
    resting: { on: { go: 'over' } },
    late: {},
    lost: {},
    over: { type: 'final' },
  },
} as const

/** Within whole milliseconds the second event would come when the timer that it stops is due. */
function raceTrace() {
  const clock = createVirtualClock()
  const recording = record(createMachine(RACE), { clock })
  recording.actor.start()
  for (const ms of [0.7, 4.8, 10]) {
    clock.advance(ms)
    recording.actor.send({ type: 'go' })
  }
  return recording.trace
}

const SYSTEM = { import: "import { harbour } from './harbour.ts'", name: 'harbour' }
const RACE_SYSTEM = { import: "import { race } from './race.js'", name: 'race' }

test('it reads like a handwritten test', async () => {
  expect(vitestTest(await harbourTrace(), { system: SYSTEM }))
    .toBe(`// Generated from a recorded trace: change the expectations to the behavior you want, and commit it.
import { createStage, type AtOnce } from '@chartroom/devtools/vitest'
import { expect, test } from 'vitest'
import { harbour } from './harbour.ts'

// Events that effects send when they start, or when they receive an event.
const atOnce: AtOnce[] = [
  { in: 'harbour/weather', answer: { type: 'wind', knots: 7 } },
]

test('harbour: open', () => {
  const stage = createStage(harbour, { atOnce })
  stage.start()
  expect(stage.state()).toEqual('idle')

  stage.send({ type: 'open' })
  expect(stage.state()).toEqual('loading')

  stage.answer('harbour/load', { resolves: ['Albatross'] })
  expect(stage.state()).toEqual('open')
  stage.advance(1500)
  expect(stage.state()).toEqual('closed')
})
`)
})

test('time stops short of a canceled timer; simultaneous timers are one turn; an end is expected', () => {
  const trace = raceTrace()
  const { times, problem } = stageTimes(trace, { race: createMachine(RACE) })
  const [, ...body] = vitestTest(trace, { system: RACE_SYSTEM, times }).split('stage.start()\n')
  expect([problem, body.join('')]).toEqual([
    undefined,
    `  expect(stage.state()).toEqual('ready')

  stage.send({ type: 'go' })
  expect(stage.state()).toEqual('steady')

  stage.advance(4)
  stage.send({ type: 'go' })
  expect(stage.state()).toEqual('running')
  stage.advance(3)
  expect(stage.state()).toEqual('resting')

  stage.advance(8)
  stage.send({ type: 'go' })
  expect(stage.actors()).not.toContain('race')
})
`,
  ])
})

test('the state and the context of a root that has ended', () => {
  const stage = createStage(createMachine({ ...RACE, context: { laps: 2 } }))
  stage.start()
  stage.send({ type: 'go' })
  stage.send({ type: 'go' })
  stage.advance(3)
  stage.send({ type: 'go' })
  expect([stage.state(), stage.context(), stage.actors()]).toEqual(['over', { laps: 2 }, []])
  expect(() => stage.send({ type: 'go' })).toThrow('No actor race is running.')
})

test('what a test cannot reproduce is reported', () => {
  const trace = raceTrace()
  const stimuli = trace.stimuli.map(one =>
    one.kind === 'timer' && one.delay === 3 ? { ...one, ordinal: 2 } : one,
  )
  expect(stageTimes({ ...trace, header: trace.header, stimuli }, { race: createMachine(RACE) }).problem).toBe(
    'timer #2 fired before race took xstate.after.3.race.running, which was due earlier',
  )
  expect(stageTimes(trace, {}).problem).toBe('unknown system "race"; known here: none')
})

test('a machine without states is asserted by its context, as far as source code can express it', () => {
  const counter = setup({ types: { context: {} as { n: bigint; at: Date } } }).createMachine({
    id: 'counter',
    context: { n: 1n, at: new Date(NaN) },
    on: { more: { actions: assign({ n: ({ context }) => context.n + 1n }) } },
  })
  const recording = record(counter, { clock: createVirtualClock() })
  recording.actor.start()
  recording.actor.send({ type: 'more' })
  expect(vitestTest(recording.trace, { system: SYSTEM })).toContain(
    `expect(stage.context()).toEqual({ n: 1n, at: new Date(NaN) })

  stage.send({ type: 'more' })
  expect(stage.context()).toEqual({ n: 2n, at: new Date(NaN) })
`,
  )
})

test('it passes unchanged, and fails when the machine has changed', async () => {
  const folder = await folderForTests('generated')
  onTestFinished(() => rm(folder, { recursive: true }))
  const text = vitestTest(await harbourTrace(), { system: SYSTEM })
  for (const [name, patience] of [
    ['unchanged', '1500'],
    ['changed', '2500'],
  ] as const) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'harbour.test.ts'), text)
    await writeFile(join(folder, name, 'harbour.ts'), MACHINE.replace('PATIENCE', patience))
  }
  const storm = vitestTest(stormyRun(11, 30).trace, {
    system: { import: "import { systems } from '@chartroom/devtools/replay'", name: "systems['chartroom']" },
  })
  await writeFile(join(folder, 'storm.test.ts'), storm)
  const race = raceTrace()
  const { times } = stageTimes(race, { race: createMachine(RACE) })
  const untyped = vitestTest(race, { system: RACE_SYSTEM, times, isUntyped: true })
  await writeFile(join(folder, 'race.test.js'), untyped)
  await writeFile(
    join(folder, 'race.js'),
    `import { createMachine } from 'xstate'\nexport const race = createMachine(${JSON.stringify(RACE)})\n`,
  )
  const { output } = await runVitest(folder)
  expect(output).toMatch(/Tests +1 failed \| 3 passed \(4\)/)
  expect(output).toMatch(/FAIL +changed\/harbour\.test\.ts/)
  expect(output).toContain("expected 'open' to deeply equal 'closed'")
})

test('a stimulus that a test cannot express is rejected by its number', () => {
  const { trace } = stormyRun(11, 1)
  const [first] = trace.stimuli.filter(({ kind, anchor }) => kind === 'leaf' && !anchor)
  const stimuli = trace.stimuli.map(one =>
    one === first ? { ...one, event: { type: 'x', hidden: () => 1 } } : one,
  )
  expect(() => vitestTest({ ...trace, header: trace.header, stimuli }, { system: SYSTEM })).toThrow(
    new ExportError(`input #${first?.seq} can't be expressed in a test: it contains a function`),
  )
})
