// Systems as ordinary apps write them, generated from a seed: they read the platform, share objects, compose
// logic, hold odd values and talk to another system.
import {
  assign,
  createMachine,
  emit,
  enqueueActions,
  fromCallback,
  fromPromise,
  fromTransition,
  sendTo,
} from 'xstate'
import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from 'xstate'
import { createDice, type Dice } from './generated-world.ts'

/** What a generated system does. */
export const FEATURES = ['platform', 'identity', 'composed', 'values', 'systems'] as const
export type Feature = (typeof FEATURES)[number]

export interface Item {
  readonly id: string
  readonly tags: { readonly color: string }
}

export interface Input {
  readonly items: readonly Item[]
  /** An actor of another system. */
  readonly other: AnyActorRef
}

/** What actions and guards are given here; generated code is loosely typed. */
interface Args {
  readonly context: Context
  readonly event: {
    readonly type: string
    readonly item?: Item
    readonly value?: unknown
    readonly output?: unknown
  }
  readonly self: AnyActorRef
}

interface Context {
  readonly n: number
  readonly items: readonly Item[]
  readonly chosen: Item | undefined
  readonly marks: WeakMap<object, number>
  readonly kept: unknown
  readonly other: AnyActorRef
}

export const EVENTS = ['pick', 'drop', 'move', 'keep', 'read', 'call', 'ask', 'reset'] as const

/** The features of the system with this seed: each has two or three. */
export function featuresOf(seed: number): readonly Feature[] {
  const dice = createDice(seed + 7)
  const first = FEATURES[seed % FEATURES.length] ?? 'platform'
  return [...new Set([first, dice.pick(FEATURES), dice.pick(FEATURES)])]
}

/** The root of the system with this seed. */
export function ordinarySystem(seed: number): AnyStateMachine {
  const dice = createDice(seed)
  const features = new Set(featuresOf(seed))
  const has = (feature: Feature) => features.has(feature)
  const actions = actionsOf(dice, has)
  const guards = guardsOf(has)
  const some = (type: string) => {
    const own = actions[type] ?? [count]
    const guard = dice.chance(0.3) ? dice.pick(guards) : undefined
    const params = has('platform') && dice.chance(0.3) ? [keepParams(dice)] : []
    return [
      { ...(guard === undefined ? {} : { guard }), actions: [dice.pick(own), ...params] },
      { actions: [count] },
    ]
  }
  const odd = dice.pick(VALUES)
  const children = logicOf(dice, has)
  const invoked = () => {
    const [name, src] = dice.pick(Object.entries(children)) ?? []
    return {
      src,
      id: name,
      input: ({ context }: Args) => ({
        item: context.items[0],
        ...(has('platform') && { id: crypto.randomUUID(), at: new Date() }),
      }),
      onDone: { target: 'idle', actions: done(has) },
      onError: { target: 'idle', actions: count },
    }
  }
  const delay = has('platform') ? () => 1 + Math.random() * 4 : 2
  return createMachine({
    id: 'ordinary',
    initial: 'idle',
    context: ({ input }: { input: Input }) => ({
      n: 0,
      items: input.items,
      chosen: undefined,
      marks: new WeakMap(),
      kept: has('platform') ? [Math.random(), Date.now()] : has('values') ? odd() : undefined,
      other: input.other,
    }),
    on: Object.fromEntries(EVENTS.map(type => [type, some(type)])),
    states: {
      idle: { on: { call: 'busy', reset: { target: 'waiting' } } },
      busy: { invoke: invoked() },
      waiting: {
        after: { later: 'idle' },
        ...(dice.chance(0.5) && { entry: dice.pick(actions['read'] ?? [count]) }),
      },
    },
    output: ({ context }: Args) => (has('platform') ? [context.n, Math.random()] : context.n),
  } as never).provide({ delays: { later: delay } as never }) as unknown as AnyStateMachine
}

const count = assign({ n: ({ context }: Args) => context.n + 1 })
const keep = (kept: (args: Args) => unknown) => assign({ kept: kept as never })

/** An action with params that read the platform. */
function keepParams(dice: Dice) {
  const read = dice.pick(READINGS)
  return {
    type: 'keepParams',
    params: () => ({ read: read() }),
  }
}

const READINGS: readonly (() => unknown)[] = [
  () => Math.random(),
  () => Date.now(),
  () => new Date(),
  () => new Date().getTime() % 7,
  () => Date().length,
  () => performance.now(),
  () => performance.timeOrigin,
  () => crypto.randomUUID(),
  () => [...crypto.getRandomValues(new Uint8Array(3))],
]

type Actions = Readonly<Record<string, readonly unknown[]>>

function actionsOf(dice: Dice, has: (feature: Feature) => boolean): Actions {
  const read = dice.pick(READINGS)
  const platform = [
    keep(() => read()),
    emit(() => ({ type: 'drawn', value: Math.random() })),
    enqueueActions(({ enqueue }) => {
      if (Math.random() < 0.5) enqueue(count as never)
      else enqueue(keep(() => crypto.randomUUID()) as never)
    }),
  ]
  const identity = {
    pick: [
      assign({ chosen: ({ event }: Args) => event.item }),
      assign({
        n: ({ context, event }: Args) => context.items.indexOf(event.item as Item),
        kept: ({ context, event }: Args) => context.chosen === event.item,
      }),
      assign({
        kept: ({ context, event }: Args) => (event.item && context.marks.get(event.item)) ?? 'unmarked',
        marks: ({ context, event }: Args) =>
          event.item ? context.marks.set(event.item, context.n) : context.marks,
      }),
    ],
    drop: [
      assign({ items: ({ context, event }: Args) => context.items.filter(item => item !== event.item) }),
      assign({ items: ({ context, event }: Args) => without(context.items, event.item) }),
    ],
    move: [
      assign({
        items: ({ context }: Args) => [...context.items.slice(1), ...context.items.slice(0, 1)],
      }),
      assign({
        // A new object that shares a part with an old one.
        items: ({ context, event }: Args) =>
          event.item ? [...context.items, { id: `${event.item.id}+`, tags: event.item.tags }] : context.items,
      }),
      assign({
        kept: ({ context, event }: Args) => context.items.map(item => item.tags === event.item?.tags),
      }),
    ],
  }
  const values = [
    keep(({ event }) => event.value),
    keep(({ event }) => kindOf(event.value)),
    keep(({ event, context }) => [context.kept === event.value, typeof event.value]),
  ]
  const systems = [
    sendTo(
      ({ context }: Args) => context.other,
      ({ context }: Args) => ({ type: 'noted', n: context.n }),
    ),
    sendTo(
      ({ context }: Args) => context.other,
      ({ self }: Args) => ({ type: 'answer', to: self }),
      {
        // Without an id, XState draws a random one.
        id: 'later',
        delay: 1,
      } as never,
    ),
    ({ context }: Args) => context.other.send({ type: 'noted', n: -1 }),
  ]
  return {
    ...(has('identity') && identity),
    ...(has('values') && { keep: values }),
    ...(has('platform') && { read: platform }),
    ...(has('systems') && { ask: systems }),
  }
}

function guardsOf(has: (feature: Feature) => boolean): readonly unknown[] {
  return [
    ({ context }: Args) => context.n % 3 !== 2,
    ...(has('platform') ? [() => Math.random() < 0.5, () => Date.now() % 2 === 0] : []),
    ...(has('identity')
      ? [({ context, event }: Args) => event.item === undefined || context.items.includes(event.item)]
      : []),
    ...(has('values') ? [({ event }: Args) => !(event.value instanceof Error)] : []),
  ]
}

const done = (has: (feature: Feature) => boolean) =>
  has('identity')
    ? assign({ kept: ({ context, event }: Args) => context.items.includes(event.output as Item) })
    : assign({ kept: ({ event }: Args) => event.output })

function without(items: readonly Item[], item: Item | undefined): readonly Item[] {
  const at = item ? items.indexOf(item) : -1
  return at < 0 ? items : [...items.slice(0, at), ...items.slice(at + 1)]
}

/** Logic for children: plain, and composed as XState's documentation shows. */
function logicOf(dice: Dice, has: (feature: Feature) => boolean): Record<string, AnyActorLogic> {
  const load = fromPromise<unknown, { item?: Item }>(async ({ input }) => {
    await Promise.resolve()
    return input.item
  })
  const ticks = fromCallback(({ sendBack, receive }) => {
    sendBack({ type: 'keep', value: 'at once' })
    receive(event => sendBack({ type: 'read', value: event.type }))
    return () => undefined
  })
  const tally = fromTransition(
    (state: { readonly n: number; readonly at: unknown }) => ({
      n: state.n + 1,
      at: has('platform') ? Math.random() : state.at,
    }),
    () => ({ n: 0, at: has('platform') ? crypto.randomUUID() : 'none' }),
  )
  const nested = createMachine({
    id: 'nested',
    initial: 'open',
    context: { read: has('platform') ? Date.now : undefined, value: 0 } as never,
    states: { open: { after: { 1: 'closed' } }, closed: { type: 'final' } },
    output: () => (has('platform') ? performance.now() : 'closed'),
  })
  const simple = { load, ticks, tally, nested } as unknown as Record<string, AnyActorLogic>
  if (!has('composed')) return simple
  return Object.fromEntries(
    Object.entries(simple).map(([name, logic]) => [name, dice.chance(0.7) ? composed(dice, logic) : logic]),
  )
}

function composed(dice: Dice, logic: AnyActorLogic): AnyActorLogic {
  return dice.pick<() => AnyActorLogic>([
    // Counts in its snapshot.
    () =>
      ({
        ...logic,
        transition: (snapshot: object, event: { type: string }, scope: never) => {
          const { seen = 0 } = snapshot as { seen?: number }
          return { ...(logic.transition(snapshot as never, event, scope) as object), seen: seen + 1 }
        },
      }) as unknown as AnyActorLogic,
    // Starts with more than the original.
    () =>
      ({
        ...logic,
        getInitialSnapshot: (scope: never, input: never) => ({
          ...(logic.getInitialSnapshot(scope, input) as object),
          label: typeof input,
        }),
      }) as unknown as AnyActorLogic,
    // Changes nothing, as a logging wrapper does.
    () =>
      ({
        ...logic,
        transition: (snapshot: never, event: never, scope: never) =>
          logic.transition(snapshot, event, scope) as unknown,
      }) as unknown as AnyActorLogic,
  ])()
}

class Refused extends Error {
  override readonly name = 'Refused'
  readonly status = 403
}

/** Values that apps send and keep. */
export const VALUES: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => Number.NaN,
  () => -0,
  () => 12n,
  () => new Date(0),
  () => new Map<unknown, unknown>([['a', new Set([1, 2])]]),
  () => new URL('https://example.com/path?page=2'),
  () => /^a+$/giu,
  () => new Headers({ accept: 'text/html' }),
  () => new URLSearchParams('a=1&a=2'),
  () => Uint8Array.of(1, 2, 3),
  () => new Error('plain', { cause: new TypeError('inner') }),
  () => new AggregateError([new RangeError('one')], 'many'),
  () => new Refused('no'),
  () => Object.assign([], { 1: 1 }),
  () => ({ nested: { list: [{ deep: true }] } }),
  () => ({ [Symbol.for('kind')]: 'symbol key' }),
  () => {
    const round: Record<string, unknown> = { name: 'round' }
    round['self'] = round
    return round
  },
]

function kindOf(value: unknown): string {
  if (value instanceof URL) return `URL ${value.host}`
  if (value instanceof Error) return `${value.name} ${value.message}`
  if (value instanceof Date) return `Date ${value.getTime()}`
  if (value instanceof Map || value instanceof Set) return `${value.size} entries`
  if (value instanceof RegExp) return value.source
  if (value instanceof Headers) return value.get('accept') ?? ''
  if (value instanceof URLSearchParams) return value.getAll('a').join()
  if (value instanceof Uint8Array) return `bytes ${value.length}`
  return typeof value
}
