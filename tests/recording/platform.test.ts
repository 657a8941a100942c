// What machine code reads from the platform is on the tape, so that a replay reads the same.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { assign, createMachine, fromCallback, fromPromise, fromTransition } from 'xstate'
import { type Recording, record, taped } from '../../src/public/devtools/recording.ts'
import { drive, readTrace, verify } from '../../src/public/devtools/replay.ts'

afterEach(() => vi.useRealTimers())

/** Reads everything there is. */
const readAll = () => {
  const bytes = crypto.getRandomValues(new Uint16Array(4))
  return {
    random: Math.random(),
    now: Date.now(),
    date: new Date(),
    text: Date(),
    fixed: new Date(0).getTime(),
    monotonic: performance.now(),
    origin: performance.timeOrigin,
    uuid: crypto.randomUUID(),
    bytes: [...bytes],
    hrtime: process.hrtime(),
    since: process.hrtime([0, 0]),
    nanoseconds: process.hrtime.bigint(),
  }
}

/** Reads in every place where machine code runs. */
const everywhere = createMachine({
  id: 'everywhere',
  context: ({ input }) => ({ made: readAll(), input, seen: [] as unknown[] }),
  invoke: { src: fromTransition((state: unknown) => [state, readAll()], readAll()), id: 'logic' },
  initial: 'a',
  states: {
    a: {
      entry: assign({ seen: ({ context }) => [...context.seen, readAll()] }),
      after: { soon: 'b' },
      on: {
        look: { actions: assign({ seen: ({ context }) => [...context.seen, readAll()] }) },
        lucky: [{ guard: () => Math.random() < 0.5, target: 'b' }, { target: 'c' }],
        work: { target: 'work' },
      },
    },
    work: {
      invoke: {
        src: fromPromise(async ({ input }: { input: unknown }) => [input, Math.random()]),
        input: () => readAll(),
        onDone: { target: 'c', actions: assign({ seen: ({ event }) => [event.output, readAll()] }) },
      },
    },
    b: { on: { look: { actions: { type: 'note', params: () => readAll() } } }, after: { soon: 'c' } },
    c: { type: 'final' },
  },
  output: () => readAll(),
}).provide({ delays: { soon: () => 1 + Math.random() } })

const written = async (recording: Pick<Recording, 'lines'>) => {
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error('the recording cannot be read')
  return read.trace
}

describe('a machine that reads the platform', () => {
  const run = async (options: { steps?: boolean } = {}) => {
    const recording = record(everywhere, { input: { at: 1 }, ...options })
    recording.start()
    recording.actor.send({ type: 'look' })
    recording.actor.send({ type: 'work' })
    await vi.waitFor(() => expect(recording.actor.getSnapshot().status).toBe('done'))
    return recording
  }

  test('replays exactly from its file', async () => {
    const recording = await run()
    expect(verify(await written(recording), { everywhere })).toMatchObject({ outcome: 'exact' })
  })

  test('replays exactly if no steps were recorded', async () => {
    const recording = await run({ steps: false })
    expect(verify(await written(recording), { everywhere })).toMatchObject({ outcome: 'exact' })
  })

  test('is driven with the same readings', async () => {
    const recording = await run()
    expect(drive(recording.trace, { everywhere })).toMatchObject({ outcome: 'same' })
  })

  test('a guard decides as it did', () => {
    for (let run = 0; run < 20; run += 1) {
      const recording = record(everywhere)
      recording.start()
      recording.actor.send({ type: 'lucky' })
      expect(verify(recording.trace, { everywhere })).toMatchObject({ outcome: 'exact' })
      recording.stop()
    }
  })
})

describe('the tape', () => {
  const reads = (recording: Pick<Recording, 'trace'>) => recording.trace.tape.map(({ kind }) => kind)

  test('has only what machine code reads, not actions, effects, listeners, inspectors and clocks', async () => {
    const machine = createMachine({
      entry: [assign({ at: () => Date.now() }), () => void Math.random()],
      invoke: {
        src: fromCallback(({ sendBack }) => {
          sendBack({ type: 'go', at: new Date(), n: Math.random() })
        }),
      },
      after: { 60_000: {} },
      on: { go: { actions: () => void performance.now() } },
    })
    const clock = {
      setTimeout: (fn: () => void) => setTimeout(fn, 1 + Math.random()),
      clearTimeout: (handle: never) => clearTimeout(handle),
      now: () => performance.now(),
    }
    const recording = record(machine, { clock, inspect: () => void Date.now(), logger: () => Math.random() })
    recording.actor.subscribe(() => void crypto.randomUUID())
    recording.start()
    recording.actor.send({ type: 'go' })
    expect(reads(recording)).toEqual(['Date.now()'])
    recording.stop()
  })

  test('has what machine code reads under fake timers, whenever they were put in place', async () => {
    const machine = createMachine({
      id: 'timed',
      context: { at: 0 },
      on: { look: { actions: assign({ at: () => new Date().getTime() }) } },
    })
    const recording = record(machine)
    recording.start()
    const at = () => {
      recording.actor.send({ type: 'look' })
      return recording.actor.getSnapshot().context.at
    }
    vi.useFakeTimers({ now: 1000 })
    expect([at(), at()]).toEqual([1000, 1000])
    vi.setSystemTime(5000)
    expect(at()).toBe(5000)
    vi.useRealTimers()
    expect(at()).toBeGreaterThan(1e12)
    expect(reads(recording)).toHaveLength(4)
    expect(verify(await written(recording), { timed: machine })).toMatchObject({ outcome: 'exact' })
  })

  test('has results of functions wrapped in taped(), and none of what they read', async () => {
    const values = [undefined, 1n, new Date(5), { a: [Number.NaN] }, 'text', null]
    const next = taped('next', (n: number) => {
      Math.random()
      return values[n]
    })
    const machine = createMachine({
      id: 'listed',
      context: { seen: [] as unknown[] },
      on: { look: { actions: assign({ seen: ({ context: { seen } }) => [...seen, next(seen.length)] }) } },
    })
    const recording = record(machine)
    recording.start()
    for (const _ of values) recording.actor.send({ type: 'look' })
    expect(recording.actor.getSnapshot().context.seen).toEqual(values)
    expect(new Set(reads(recording))).toEqual(new Set(['next()']))
    // A replay does not call it.
    values.reverse()
    expect(verify(await written(recording), { listed: machine })).toMatchObject({ outcome: 'exact' })
    expect(next(0)).toBe(null)
  })
})

test('errors of what machine code reads are repeated', async () => {
  let isBroken = true
  const read = taped('read', () => {
    if (isBroken) throw new RangeError('not now')
    return 1
  })
  const machine = createMachine({
    id: 'broken',
    context: { seen: [] as unknown[] },
    on: {
      look: { actions: assign({ seen: ({ context }) => [...context.seen, attempt(read)] }) },
      fill: {
        actions: assign({ seen: () => [attempt(() => crypto.getRandomValues(new Uint8Array(70_000)))] }),
      },
    },
  })
  const recording = record(machine)
  recording.start()
  recording.actor.send({ type: 'fill' })
  recording.actor.send({ type: 'look' })
  expect(recording.actor.getSnapshot().context.seen.at(-1)).toBe('RangeError: not now')
  isBroken = false
  expect(verify(await written(recording), { broken: machine })).toMatchObject({ outcome: 'exact' })
})

const attempt = (read: () => unknown) => {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}

describe('the platform', () => {
  test('behaves as before outside of recorded systems', () => {
    class Later extends Date {}
    expect(new Later()).toBeInstanceOf(Date)
    expect(new Later(5).getTime()).toBe(5)
    expect(new Date().constructor).toBe(Date)
    expect(Date.name).toBe('Date')
    expect(Date.length).toBe(7)
    expect(Date()).toBe(new Date().toString())
    expect(Object.prototype.toString.call(new Date())).toBe('[object Date]')
    expect(structuredClone(new Date(7)).getTime()).toBe(7)
    expect([Math.random.name, Math.random.length]).toEqual(['random', 0])
    expect(process.hrtime([0, 0])).toHaveLength(2)
    expect(() => crypto.getRandomValues(new Float64Array(1))).toThrow(/TypeMismatch|integer/i)
    expect(() => crypto.getRandomValues(new Uint8Array(65_537))).toThrow(/65,?536/)
    expect(Math.abs(performance.timeOrigin + performance.now() - Date.now())).toBeLessThan(10_000)
  })

  test('is left alone if it is not taped', async () => {
    const program = `
      import { createMachine } from 'xstate'
      import { record } from './src/public/devtools/recording.ts'
      const before = [Math.random, Date, performance.now, crypto.randomUUID, process.hrtime]
      record(createMachine({}), { platform: false }).start()
      const after = [Math.random, Date, performance.now, crypto.randomUUID, process.hrtime]
      console.log(before.every((value, at) => value === after[at]))`
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', program])
    expect(stdout.trim()).toBe('true')
  })
})
