// Tests made from traces: they read well, pass as they are written, and fail when the machine is another one.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assign, fromCallback, fromPromise, setup, type AnyEventObject } from 'xstate'
import { record, vitestTest } from '../../src/replay.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'
import { ExportError } from '../../src/trace/exports/export-error.ts'
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

const harbour = (patience: number) =>
  setup({
    types: { context: {} as { vessels: string[]; knots: number }, events: {} as AnyEventObject },
    actors: {
      load: fromPromise(async () => ['Albatross']),
      weather: fromCallback(({ sendBack }) => sendBack({ type: 'wind', knots: 7 })),
    },
    delays: { patience },
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

const SYSTEM = { import: "import { harbour } from './harbour.ts'", name: 'harbour' }

test('it reads as a tester would write it', async () => {
  expect(vitestTest(await harbourTrace(), { system: SYSTEM }))
    .toBe(`// What a trace recorded, as a test: change what it expects to what you want, and keep it.
import { createStage, type AtOnce } from 'chartroom/vitest'
import { expect, test } from 'vitest'
import { harbour } from './harbour.ts'

// What effects say as they start, or as they are told something.
const atOnce: AtOnce[] = [
  { in: 'harbour/weather', says: { type: 'wind', knots: 7 } },
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

test('it passes as it is, and fails when the machine has changed', async () => {
  const folder = await folderForTests('generated')
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'harbour.test.ts'), vitestTest(await harbourTrace(), { system: SYSTEM }))
  const storm = vitestTest(stormyRun(11, 30).trace, {
    system: { import: "import { systems } from 'chartroom/replay'", name: "systems['chartroom']" },
  })
  await writeFile(join(folder, 'storm.test.ts'), storm)
  await writeFile(join(folder, 'harbour.ts'), MACHINE.replace('PATIENCE', '1500'))
  expect(await runVitest(folder)).toMatchObject({ passed: true, output: expect.stringContaining('2 passed') })
  await writeFile(join(folder, 'harbour.ts'), MACHINE.replace('PATIENCE', '2500'))
  const changed = await runVitest(folder)
  expect(changed.passed).toBe(false)
  expect(changed.output).toMatch(/1 failed[^]*1 passed/)
  expect(changed.output).toContain("expected 'open' to deeply equal 'closed'")
})

test('what no test can say is refused by its number', () => {
  const { trace } = stormyRun(11, 1)
  const [first] = trace.stimuli.filter(({ kind, anchor }) => kind === 'leaf' && !anchor)
  const stimuli = trace.stimuli.map(one =>
    one === first ? { ...one, event: { type: 'x', hidden: () => 1 } } : one,
  )
  expect(() => vitestTest({ ...trace, header: trace.header, stimuli }, { system: SYSTEM })).toThrow(
    new ExportError(`stimulus #${first?.seq} can't be said in a test: a function is in it`),
  )
})
