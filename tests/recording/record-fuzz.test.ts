// Ten thousand values as events, inputs, contexts, outputs and errors: the app is unaffected and the file
// reads back.
import { assign, createMachine, emit, fromCallback, fromPromise, fromTransition, spawnChild } from 'xstate'
import type { AnyActorRef, AnyEventObject } from 'xstate'
import { beforeEach, expect, test, vi } from 'vitest'
import { verify } from '../../src/services/replay/index.ts'
import { observe, readAgain } from '../harness/bare-and-recorded.ts'
import type { Scenario } from '../harness/bare-and-recorded.ts'
import { createDice, oddValue } from '../harness/odd-values.ts'
import { volume } from '../harness/volume.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const VALUES = volume(400, 10_000)
const BATCH = 100

const ROLES = ['event', 'data', 'input', 'context', 'output', 'error', 'sent back', 'transition'] as const

type Role = (typeof ROLES)[number]

interface Carrying extends AnyEventObject {
  readonly role: Role
  readonly value: unknown
  readonly n: number
}

const answering = fromPromise(async ({ input }) => {
  const { role, value } = input as Carrying
  if (role === 'error') throw value
  // A promise as response would be awaited, and a value with a throwing `then` would reject.
  return [value]
})

const talking = fromCallback(({ input, sendBack }) => sendBack((input as Carrying).value as AnyEventObject))

const reducing = fromTransition((count: number) => count + 1, 0)

/** Accepts any value anywhere, and continues. */
const machine = () => {
  const child = createMachine({
    id: 'child',
    context: ({ input }: { input: unknown }) => ({ input, taken: 0 }),
    on: { '*': { actions: assign({ taken: ({ context }) => context.taken + 1 }) } },
  })
  // A value that is not an event ends the machine it is sent to.
  const host = createMachine({
    id: 'host',
    context: ({ input }: { input: unknown }) => ({ input, heard: 0 }),
    invoke: { src: talking, input: ({ context }) => context.input },
    on: { '*': { actions: assign({ heard: ({ context }) => context.heard + 1 }) } },
  })
  return createMachine({
    id: 'fuzz',
    context: { held: undefined as unknown, heard: 0 },
    on: {
      carry: [
        {
          guard: ({ event }) => event.role === 'context',
          actions: [assign({ held: ({ event }) => (event as Carrying).value }), emit({ type: 'held' })],
        },
        {
          guard: ({ event }) => event.role === 'output' || event.role === 'error',
          actions: spawnChild(answering, { input: ({ event }: { event: AnyEventObject }) => event }),
        },
        {
          guard: ({ event }) => event.role === 'sent back',
          actions: spawnChild(host, {
            id: ({ event }: { event: AnyEventObject }) => `h${(event as Carrying).n}`,
            input: ({ event }: { event: AnyEventObject }) => event,
          }),
        },
        {
          guard: ({ event }) => event.role === 'transition',
          actions: spawnChild(reducing, {
            id: ({ event }: { event: AnyEventObject }) => `t${(event as Carrying).n}`,
          }),
        },
        {
          actions: spawnChild(child, {
            id: ({ event }: { event: AnyEventObject }) => `c${(event as Carrying).n}`,
            input: ({ event }: { event: AnyEventObject }) => (event as Carrying).value,
          }),
        },
      ],
      '*': { actions: assign({ heard: ({ context }) => context.heard + 1 }) },
    },
  })
}

const batch =
  (seed: number): Scenario =>
  async ({ make, attempt, log }) => {
    const dice = createDice(seed)
    const root = make(machine(), { input: oddValue(dice) })
    root.on('held', () => log('held'))
    root.subscribe({ next: () => undefined, error: log })
    root.start()
    for (let n = 0; n < BATCH; n++) {
      const role = dice.pick(ROLES)
      const value = oddValue(dice)
      attempt(() => root.send({ type: 'carry', role, value, n } as AnyEventObject))
      const children = () => root.getSnapshot().children as Readonly<Record<string, AnyActorRef>>
      const target = children()[`c${n}`] ?? children()[`t${n}`]
      if (target)
        attempt(() => target.send((role === 'event' ? value : { type: 'go', value }) as AnyEventObject))
      log(n, (root.getSnapshot() as { status: string }).status)
    }
  }

/** Replays take as long as everything else together. */
const REPLAY_EVERY = 4

test(`${VALUES} odd values change nothing, and every recording reads back completely`, async () => {
  let replayed = 0
  for (let seed = 1; seed <= VALUES / BATCH; seed++) {
    const bare = await observe(batch(seed), false)
    const { log, recordings } = await observe(batch(seed), true, seed % 2 === 0)
    expect(log, `seed ${seed}`).toEqual(bare.log)
    const [recording] = recordings
    if (!recording) throw new Error('nothing was recorded')
    expect(recording.trace.damage, `seed ${seed}`).toEqual([])
    const trace = await readAgain(recording)
    expect(trace.damage, `seed ${seed}`).toEqual([])
    for (const column of ['actors', 'stimuli', 'steps', 'keyframes'] as const)
      expect(trace[column].length, `${column} of seed ${seed}`).toBe(recording.trace[column].length)
    // At least as many as there are values: each is sent to the root.
    expect(trace.stimuli.length).toBeGreaterThan(BATCH)
    if (seed % REPLAY_EVERY > 1) continue
    replayed += 1
    const report = verify(trace, { fuzz: machine() })
    if (report.outcome === 'exact') continue
    // Some values are nested more deeply than is recorded.
    if (report.outcome === 'unverified' && report.reason.includes('too deeply nested')) continue
    expect(report, `seed ${seed}`).toMatchObject({
      outcome: 'diverged',
      hints: expect.arrayContaining([expect.stringContaining('could not be stored')]) as unknown,
    })
  }
  expect(replayed).toBe(VALUES / BATCH / 2)
}, 60_000)
