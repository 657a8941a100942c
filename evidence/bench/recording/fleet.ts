// The recorded system: a parent with dozens of children, their promises, and a callback that sends it events.
import {
  SimulatedClock,
  assign,
  fromCallback,
  fromPromise,
  sendParent,
  sendTo,
  setup,
  stopChild,
} from 'xstate'

interface Answer {
  readonly rows: readonly { readonly id: number; readonly name: string }[]
  readonly status: number
}

type RequestEvent =
  | { readonly type: 'get'; readonly n: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'told'; readonly n: number }

const load = fromPromise<Answer, { n: number; tries: number }>(({ input: { n, tries } }) => {
  if (n % 5 === 0 && tries === 0) return Promise.reject(new Error('The wire is cut.'))
  return Promise.resolve({ rows: [{ id: n, name: `vessel ${n}` }], status: 200 })
})

/** One request slot: sends a request, retries after a delay, and notifies its parent. */
const request = setup({
  types: {
    context: {} as { slot: number; n: number; tries: number; answer: Answer | undefined },
    input: {} as { slot: number },
    events: {} as RequestEvent,
  },
  actors: { load },
  delays: { backoff: ({ context }) => 10 * 2 ** context.tries },
  guards: { mayRetry: ({ context }) => context.tries < 3 },
}).createMachine({
  id: 'request',
  context: ({ input: { slot } }) => ({ slot, n: 0, tries: 0, answer: undefined }),
  initial: 'idle',
  states: {
    idle: { on: { get: { target: 'asking', actions: assign(({ event: { n } }) => ({ n, tries: 0 })) } } },
    asking: {
      invoke: {
        src: 'load',
        input: ({ context: { n, tries } }) => ({ n, tries }),
        onDone: { target: 'answered', actions: assign({ answer: ({ event }) => event.output }) },
        onError: [{ guard: 'mayRetry', target: 'waiting' }, { target: 'idle' }],
      },
      on: { cancel: 'idle' },
    },
    waiting: {
      entry: assign({ tries: ({ context }) => context.tries + 1 }),
      after: { backoff: 'asking' },
      on: { cancel: 'idle' },
    },
    answered: {
      entry: sendParent(({ context }) => ({
        type: 'answered',
        slot: context.slot,
        rows: context.answer?.rows.length ?? 0,
      })),
      on: { get: { target: 'asking', actions: assign(({ event: { n } }) => ({ n, tries: 0 })) } },
    },
  },
})

/** A socket that answers each beat immediately. */
const socket = fromCallback<{ type: 'beat'; n: number }>(({ sendBack, receive }) => {
  receive(({ n }) => sendBack({ type: 'message', n, payload: { topic: 'harbour', ships: [n, n + 1] } }))
})

type FleetEvent =
  | { readonly type: 'fetch'; readonly slot: number; readonly n: number }
  | { readonly type: 'answered'; readonly slot: number; readonly rows: number }
  | { readonly type: 'message'; readonly n: number; readonly payload: unknown }
  | { readonly type: 'tick'; readonly n: number }
  | { readonly type: 'renew'; readonly slot: number }

const SLOTS = 30

const fleet = setup({
  types: {
    context: {} as { open: number; rows: number; last: unknown; spawned: number },
    events: {} as FleetEvent,
  },
  actors: { request, socket },
  actions: { count: assign({ open: ({ context }) => context.open + 1 }) },
}).createMachine({
  id: 'fleet',
  context: ({ spawn }) => {
    for (let slot = 0; slot < SLOTS; slot++) spawn('request', { id: `slot-${slot}`, input: { slot } })
    return { open: 0, rows: 0, last: undefined, spawned: SLOTS }
  },
  invoke: { src: 'socket', id: 'socket' },
  initial: 'on',
  states: {
    on: {
      on: {
        fetch: {
          actions: [
            'count',
            sendTo(
              ({ event }) => `slot-${event.slot}`,
              ({ event }) => ({ type: 'get', n: event.n }),
            ),
          ],
        },
        answered: {
          actions: assign(({ context, event }) => ({
            open: context.open - 1,
            rows: context.rows + event.rows,
          })),
        },
        message: { actions: assign({ last: ({ event }) => event.payload }) },
        tick: { actions: sendTo('socket', ({ event }) => ({ type: 'beat', n: event.n })) },
        renew: {
          actions: [
            stopChild(({ event }) => `slot-${event.slot}`),
            assign(({ context, spawn, event: { slot } }) => {
              spawn('request', { id: `slot-${slot}`, input: { slot } })
              return { spawned: context.spawned + 1 }
            }),
          ],
        },
      },
    },
  },
})

export const fleetWorkload = {
  logic: fleet,
  words:
    `a parent with ${SLOTS} request machines and a socket (callback): 34 events a round, each request a promise, ` +
    'a fifth of them failing once and retried after a delay; 3 heartbeats of the socket; 1 child stopped and respawned',
  clock: () => new SimulatedClock(),
  /** Sends the given number of events. */
  async drive(actor: { send(event: FleetEvent): void }, clock: SimulatedClock, count: number): Promise<void> {
    for (let sent = 0, round = 0; sent < count; round++) {
      for (let slot = 0; slot < SLOTS && sent < count; slot++, sent++) {
        actor.send({ type: 'fetch', slot, n: sent })
        if (slot % 10 === 0) actor.send({ type: 'tick', n: sent++ })
      }
      await new Promise(resolve => setImmediate(resolve))
      clock.increment(20)
      await new Promise(resolve => setImmediate(resolve))
      actor.send({ type: 'renew', slot: round % SLOTS })
      sent += 1
    }
  },
}
