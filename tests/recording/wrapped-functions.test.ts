// Monitoring tools replace `console`, `fetch` and timers by functions that read the time and random ids. They may be there in the recorded process and not in that of the replay, or the other way around.
import { afterEach, expect, test, vi } from 'vitest'
import { assign, createMachine } from 'xstate'
import { record } from '../../src/public/devtools/recording.ts'
import { readTrace, verify } from '../../src/public/devtools/replay.ts'

const restore: (() => void)[] = []
afterEach(() => {
  for (const undo of restore.splice(0).reverse()) undo()
})

interface Crumb {
  readonly name: string
  readonly readings: readonly unknown[]
}

type Callable = (...args: unknown[]) => unknown

/** Replaces a function as monitoring tools do: by assignment, with a crumb that has a time and an id. */
function instrument(owner: object, name: string, crumbs: Crumb[]): void {
  const methods = owner as Record<string, Callable>
  const original = methods[name] as Callable
  methods[name] = function (this: unknown, ...args: unknown[]) {
    const readings = [Date.now(), performance.now(), crypto.randomUUID(), Math.random()]
    crumbs.push({ name, readings })
    return original.apply(this, args)
  }
  restore.push(() => (methods[name] = original))
}

const CONSOLE = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const
const GLOBAL = ['clearTimeout', 'fetch', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout']

const instrumentAll = () => {
  const crumbs: Crumb[] = []
  for (const name of CONSOLE) instrument(console, name, crumbs)
  for (const name of GLOBAL) instrument(globalThis, name, crumbs)
  return crumbs
}

/** Calls everything from code that decides what the machine does. */
const talkative = createMachine({
  id: 'talkative',
  context: () => ({ rolls: [Math.random()] }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        roll: {
          guard: () => {
            for (const name of CONSOLE) console[name](name)
            return true
          },
          actions: assign(({ context }) => {
            clearTimeout(setTimeout(() => undefined, 1e6))
            clearInterval(setInterval(() => undefined, 1e6))
            clearImmediate(setImmediate(() => undefined))
            queueMicrotask(() => undefined)
            fetch('data:,').catch(() => undefined)
            return { rolls: [...context.rolls, Math.random()] }
          }),
        },
      },
    },
  },
})

async function recorded(options: { steps?: boolean }) {
  const recording = record(talkative, options)
  recording.start()
  for (let turn = 0; turn < 3; turn += 1) recording.actor.send({ type: 'roll' })
  recording.stop()
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error('the recording cannot be read')
  return read.trace
}

const silence = () => {
  for (const name of CONSOLE) {
    const spy = vi.spyOn(console, name).mockReturnValue()
    restore.push(() => spy.mockRestore())
  }
}

test.each([{}, { steps: false }])(
  'are not on the tape: a replay without them is exact (%o)',
  async options => {
    silence()
    const crumbs = instrumentAll()
    const trace = await recorded(options)
    for (const name of [...CONSOLE, ...GLOBAL])
      expect(crumbs.filter(crumb => crumb.name === name).length).toBeGreaterThanOrEqual(3)
    for (const undo of restore.splice(0).reverse()) undo()
    silence()
    expect(verify(trace, { talkative })).toMatchObject({ outcome: 'exact' })
  },
)

test.each([{}, { steps: false }])(
  'do not read the tape: a replay among them is exact (%o)',
  async options => {
    silence()
    const trace = await recorded(options)
    const crumbs = instrumentAll()
    expect(verify(trace, { talkative })).toMatchObject({ outcome: 'exact' })
    expect(crumbs.length).toBeGreaterThan(0)
  },
)

test('nor are those that are put there while the machine runs', async () => {
  silence()
  const recording = record(talkative)
  recording.start()
  const crumbs = instrumentAll()
  recording.actor.send({ type: 'roll' })
  recording.stop()
  expect(new Set(crumbs.map(({ name }) => name))).toEqual(new Set([...CONSOLE, ...GLOBAL]))
  for (const undo of restore.splice(0).reverse()) undo()
  silence()
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error('the recording cannot be read')
  expect(verify(read.trace, { talkative })).toMatchObject({ outcome: 'exact' })
})

test('functions stay those that were put there, and can be replaced and spied on', async () => {
  record(createMachine({})).start()
  const replaced = vi.fn<() => void>()
  const before = globalThis.queueMicrotask
  globalThis.queueMicrotask = replaced
  expect(globalThis.queueMicrotask).toBe(replaced)
  globalThis.queueMicrotask = before
  expect(globalThis.queueMicrotask).toBe(before)
  const methods: Record<string, unknown> = console as never
  const { warn } = methods
  const spy = vi.spyOn(console, 'warn').mockReturnValue()
  ;(methods['warn'] as Callable)('seen')
  expect(spy).toHaveBeenCalledExactlyOnceWith('seen')
  const later = vi.fn<() => void>()
  methods['warn'] = later
  expect(methods['warn']).toBe(later)
  spy.mockRestore()
  expect(methods['warn']).toBe(warn)
  vi.useFakeTimers()
  const fired = vi.fn<() => void>()
  setTimeout(fired, 1000)
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  expect(fired).toHaveBeenCalledOnce()
  expect(Object.keys(globalThis)).toContain('setTimeout')
  expect(Object.keys(console)).toContain('log')
})
