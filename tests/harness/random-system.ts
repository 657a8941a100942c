// A system designed to race: nested machines, parallel states, spawned children, jittered and delayed events.
import {
  assign,
  enqueueActions,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
  stopChild,
  type ActorRefFrom,
} from 'xstate'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { createRecorder } from '../../src/services/recording/record.ts'
import type { Recorder } from '../../src/services/recording/unwritten-recorder.ts'
import type { Environment, SystemParts } from '../../src/services/runtime/ambient-env.ts'
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts'
import { createRandomLeaves, type RandomLeaves, type TrackerReport } from './random-leaves.ts'

const COMMANDS = [
  'load',
  'cancel',
  'spawn',
  'drop',
  'ask',
  'feed',
  'race',
  'boom',
  'load',
  'spawn',
  'nope',
  'break',
  'fail',
  'heir',
] as const
type Command = (typeof COMMANDS)[number]
type RandomEvent =
  | { type: Exclude<Command, 'spawn'>; i: number }
  | { type: 'spawn'; i: number }
  | { type: 'late' }
  | { type: 'kid.done'; n: number }
  | TrackerReport

type Leaves = Pick<RandomLeaves, 'load'>

function createKid(leaves: Leaves, env: Environment) {
  return setup({
    types: {
      context: {} as { n: number; born: number; tag: string },
      input: {} as { n: number },
      output: {} as number,
    },
    actors: leaves,
    delays: { jitter: () => 1 + env.random() * 4 },
  }).createMachine({
    id: 'kid',
    context: ({ input }) => ({ n: input.n, born: env.now(), tag: env.id() }),
    initial: 'working',
    states: {
      working: {
        invoke: {
          id: 'job',
          src: 'load',
          input: ({ context }) => ({ n: context.n }),
          onDone: { target: 'pleased', actions: assign({ n: ({ event }) => event.output.items + 1 }) },
          onError: 'back',
        },
      },
      back: {
        after: { jitter: { target: 'working', actions: assign({ n: ({ context }) => context.n + 100 }) } },
      },
      pleased: {
        entry: sendParent(({ context }) => ({ type: 'kid.done', n: context.n })),
        after: { 3: 'grown' },
      },
      grown: { type: 'final' },
    },
    output: ({ context }) => context.n,
  })
}

interface Context {
  n: number
  tries: number
  born: number
  kids: string[]
  heir: ActorRefFrom<ReturnType<typeof createKid>> | undefined
  log: string[]
  last: unknown
}

const keep = (log: string[], line: string) => [...log, line].slice(-6)

/** Composes the system; `change` plants a difference for tests that must detect one. */
export function composeRandom(leaves: RandomLeaves, parts: SystemParts, change = 0) {
  const { env } = parts
  const load = leaves.load
  const kid = createKid({ load }, env)
  return setup({
    types: { context: {} as Context, events: {} as RandomEvent },
    actors: {
      load,
      kid,
      tracker: leaves.tracker,
      feed: leaves.feed,
      quickA: leaves.quickA,
      quickB: leaves.quickB,
      bell: leaves.bell,
    },
    delays: { retry: ({ context }) => 1 + context.tries + env.random() * 3 },
    actions: {
      note: assign({ log: ({ context, event }) => keep(context.log, event.type) }),
      fail: () => {
        throw new Error('an action failed')
      },
    },
  }).createMachine({
    id: 'fleet',
    context: () => ({ n: 0, tries: 0, born: env.now(), kids: [], heir: undefined, log: [], last: 0 }),
    type: 'parallel',
    invoke: [
      { src: 'tracker', id: 'tracker', onError: { actions: 'note' } },
      { src: 'bell', id: 'bell', input: { name: 'first' } },
    ],
    on: {
      'tracker.tick': { actions: assign({ last: ({ event }) => [event.noise, event.seen] }) },
      'tracker.*': { actions: 'note' },
      'bus.rang': { actions: assign({ n: ({ context }) => context.n + 1 }) },
      'kid.done': { actions: assign({ log: ({ context, event }) => keep(context.log, `kid ${event.n}`) }) },
      ask: { actions: sendTo('tracker', { type: 'ask' }) },
      break: { guard: ({ event }) => event.i % 5 === 0, actions: sendTo('tracker', { type: 'break' }) },
      fail: { guard: ({ event }) => event.i === 24 && event.i % 3 === 0, actions: 'fail' },
      spawn: {
        actions: [
          spawnChild('kid', {
            id: ({ context }) => `kid-${context.n}/${context.kids.length}`,
            input: ({ context }) => ({ n: context.n }),
          }),
          assign(({ context }) => ({
            kids: [...context.kids, `kid-${context.n}/${context.kids.length}`],
            n: context.n + 1,
          })),
        ],
      },
      heir: {
        actions: assign({
          heir: ({ context, spawn, event }) =>
            context.heir ?? spawn('kid', { id: 'heir', input: { n: event.i }, syncSnapshot: true }),
        }),
      },
      drop: {
        actions: enqueueActions(({ context, enqueue }) => {
          const [first, ...rest] = context.kids
          if (first !== undefined) enqueue(stopChild(first))
          enqueue.assign({ kids: rest })
        }),
      },
      boom: {
        actions: [sendTo('tracker', { type: 'ask' }, { delay: 3 }), raise({ type: 'late' }, { delay: 2 })],
      },
      late: { actions: assign({ n: ({ context }) => context.n + 1000 + change }) },
    },
    states: {
      cart: {
        initial: 'idle',
        states: {
          idle: { on: { load: 'loading' } },
          loading: {
            invoke: {
              src: 'load',
              id: 'cart',
              input: ({ context }) => ({ n: context.n }),
              onDone: {
                target: 'idle',
                actions: assign({
                  n: ({ event }) => event.output.items + 1,
                  tries: 0,
                  last: ({ event }) => event.output,
                }),
              },
              onError: {
                target: 'retrying',
                actions: assign({
                  tries: ({ context }) => context.tries + 1,
                  last: ({ event }) => event.error,
                }),
              },
            },
            on: { cancel: 'idle' },
          },
          retrying: { after: { retry: 'loading', 9: 'idle' } },
        },
      },
      feed: {
        initial: 'off',
        states: {
          off: { on: { feed: 'on' } },
          on: {
            invoke: {
              src: 'feed',
              id: 'feed',
              onSnapshot: { actions: assign({ last: ({ event }) => event.snapshot.context }) },
              onDone: 'off',
              onError: 'off',
            },
            on: { feed: 'off' },
          },
        },
      },
      race: {
        initial: 'still',
        states: {
          still: { on: { race: 'running' } },
          running: {
            invoke: [
              { src: 'quickA', id: 'quick-a', onDone: 'wonByA' },
              { src: 'quickB', id: 'quick-b', onDone: 'wonByB' },
            ],
          },
          wonByA: { always: 'still' },
          wonByB: { always: { target: 'still', actions: 'note' } },
        },
      },
    },
  })
}

export interface RandomRun {
  readonly recorder: Recorder<ReturnType<typeof composeRandom>>
  readonly clock: VirtualClock
  /** Sends random events and lets random time pass. */
  drive(events: number): Promise<void>
}

/** A random run on the virtual clock: the same seed gives the same run. */
export function createRandomRun(seed: number, faults = 0.4): RandomRun {
  const clock = createVirtualClock()
  const entropy = createSeededEntropy(seed)
  const leaves = createRandomLeaves(clock, createSeededEntropy(seed + 1), faults)
  const compose = (parts: SystemParts) => composeRandom(leaves, parts)
  const recorder = createRecorder({
    system: 'random',
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(seed + 2),
    compose,
  })
  recorder.actor.subscribe({ error: () => undefined })
  const drive = async (events: number) => {
    for (let i = 0; i < events; i++) {
      const type = COMMANDS[Math.floor(entropy.random() * COMMANDS.length)] ?? 'load'
      recorder.send({ type, i })
      const pause = entropy.random()
      if (pause < 0.5) await clock.advanceAsync(entropy.random() * 5)
      else if (pause < 0.8) await Promise.resolve()
    }
  }
  return { recorder, clock, drive }
}

/** The same system for a replay; its leaves are never run. */
export function randomSystem(change = 0) {
  const leaves = createRandomLeaves(createVirtualClock(), createSeededEntropy(0), 0)
  return { random: (parts: SystemParts) => composeRandom(leaves, parts, change) }
}
