// Machines as in XState's documentation.
import {
  and,
  assign,
  createMachine,
  fromCallback,
  fromPromise,
  fromTransition,
  raise,
  sendParent,
  sendTo,
  setup,
  type AnyEventObject,
} from 'xstate'

export const toggle = createMachine({
  id: 'toggle',
  initial: 'inactive',
  states: { inactive: { on: { toggle: 'active' } }, active: { on: { toggle: 'inactive' } } },
})

export const door = setup({
  types: { context: {} as { key: boolean; closed: boolean }, events: {} as AnyEventObject },
  guards: {
    hasKey: ({ context }) => context.key,
    isClosed: ({ context }) => context.closed,
  },
}).createMachine({
  id: 'door',
  context: { key: false, closed: true },
  initial: 'locked',
  states: {
    locked: {
      on: {
        'key.find': { actions: assign({ key: true }) },
        unlock: { guard: 'hasKey', target: 'unlocked' },
        force: { guard: and(['hasKey', 'isClosed']), target: 'unlocked' },
      },
    },
    unlocked: { on: { lock: 'locked' } },
  },
})

export const player = createMachine({
  id: 'player',
  type: 'parallel',
  states: {
    track: {
      initial: 'paused',
      states: { paused: { on: { play: 'playing' } }, playing: { on: { pause: 'paused' } } },
    },
    volume: {
      initial: 'normal',
      states: { normal: { on: { mute: 'muted' } }, muted: { on: { unmute: 'normal' } } },
    },
  },
})

export const microwave = setup({
  types: { context: {} as { elapsed: number }, events: {} as AnyEventObject },
  guards: { isDone: ({ context }) => context.elapsed >= 2 },
  actors: {
    timer: fromCallback(({ sendBack }) => {
      sendBack({ type: 'TICK' })
      sendBack({ type: 'TICK' })
      return () => undefined
    }),
  },
}).createMachine({
  id: 'microwave',
  context: { elapsed: 0 },
  initial: 'off',
  states: {
    off: { on: { POWER: 'cooking' } },
    cooking: {
      invoke: { src: 'timer', id: 'timer' },
      always: { guard: 'isDone', target: 'ready' },
      on: { TICK: { actions: assign({ elapsed: ({ context }) => context.elapsed + 1 }) } },
    },
    ready: { description: 'The food is warm.' },
  },
})

export const fetcher = (isFailing: boolean) =>
  setup({
    actors: {
      load: fromPromise(async () => {
        await Promise.resolve()
        if (isFailing) throw new Error('The list is empty.')
        return ['a']
      }),
    },
  }).createMachine({
    id: 'fetcher',
    initial: 'idle',
    states: {
      idle: { on: { FETCH: 'loading' } },
      loading: { invoke: { src: 'load', id: 'load', onDone: 'success', onError: 'failure' } },
      success: { type: 'final' },
      failure: { after: { 2000: 'loading' } },
    },
  })

/** Without `onError`: the machine fails with its child. */
export const brittle = setup({
  actors: { load: fromPromise(() => Promise.reject(new Error('Broken pipe.'))) },
}).createMachine({
  id: 'brittle',
  initial: 'loading',
  states: { loading: { invoke: { src: 'load', id: 'load' } } },
})

const pong = createMachine({
  id: 'pong',
  initial: 'waiting',
  states: {
    waiting: { on: { PING: { target: 'served', actions: sendParent({ type: 'PONG' }) } } },
    served: {},
  },
})
export const ping = setup({ actors: { pong } }).createMachine({
  id: 'ping',
  initial: 'active',
  invoke: { src: 'pong', id: 'pong' },
  states: { active: { on: { SERVE: { actions: sendTo('pong', { type: 'PING' }) }, PONG: 'won' } }, won: {} },
})

export const host = setup({
  actors: { worker: createMachine({ id: 'worker', initial: 'running', states: { running: {} } }) },
}).createMachine({
  id: 'host',
  initial: 'on',
  states: { on: { invoke: { src: 'worker', id: 'worker' }, on: { leave: 'off' } }, off: {} },
})

export const relay = createMachine({
  id: 'relay',
  initial: 'a',
  states: { a: { on: { next: { actions: raise({ type: 'again' }) }, again: 'b' } }, b: {} },
})

export const debounce = createMachine({
  id: 'debounce',
  initial: 'idle',
  states: {
    idle: { on: { type: 'typing' } },
    typing: { on: { type: { target: 'typing', reenter: true } }, after: { 300: 'searching' } },
    searching: {},
  },
})

export const counter = fromTransition(
  (state: { n: number }, event: AnyEventObject) => (event.type === 'inc' ? { n: state.n + 1 } : state),
  {
    n: 0,
  },
)
