// Actions of generated systems: XState's built-in actions, and custom code that sends, throws and logs.
import {
  assign,
  cancel,
  emit,
  enqueueActions,
  log,
  raise,
  sendParent,
  sendTo,
  spawnChild,
  stopChild,
} from 'xstate'
import type { AnyActorLogic, AnyActorRef } from 'xstate'
import { env } from '../../src/services/runtime/ambient-env.ts'
import { EVENTS } from './generated-world.ts'
import type { Dice, World } from './generated-world.ts'

export interface Context {
  n: number
  fuel: number
  kept: unknown
  refs: AnyActorRef[]
}

/** What a machine under construction offers to its actions. */
export interface Yard {
  readonly dice: Dice
  readonly world: World
  readonly isRoot: boolean
  /** Logic that is provided by name, and logic to be given directly. */
  readonly names: readonly string[]
  readonly inline: readonly AnyActorLogic[]
  /** Ids of children that may exist. */
  readonly ids: string[]
}

type Args = {
  readonly context: Context
  readonly self: AnyActorRef
  readonly event: { readonly type: string }
}

/** One or more actions that belong together. They are loosely typed, like all generated code. */
export function generateAction(yard: Yard): unknown {
  const { dice, isRoot } = yard
  const made = dice.pick([
    count,
    read,
    randomAction,
    randomAction,
    spawned,
    spawned,
    called,
    stopped,
    raised,
    talked,
    own,
    own,
  ])
  if (made === talked && isRoot) return count(yard)
  return made(yard)
}

const count = (_yard?: Yard) => assign({ n: ({ context }: Args) => context.n + 1 })

function read({ dice }: Yard): unknown {
  return dice.pick([
    assign({ kept: () => env.random() }),
    assign({ kept: () => [env.now(), env.id()] }),
    assign({ kept: ({ event }: Args) => event }),
    emit(({ context }: Args) => ({ type: 'told', n: context.n })),
    log(({ context }: Args) => `at ${context.n}`),
  ])
}

function randomAction({ dice, ids }: Yard): unknown {
  const [id, type, delay] = [ids.length > 0 ? dice.pick(ids) : 'none', dice.pick(EVENTS), 1 + dice.below(5)]
  const to = ({ self }: Args) => childOf(self, id) ?? self
  return fuelled(
    dice.pick([
      sendTo(to, { type }),
      sendTo(to, { type }, { delay, id: `later ${type}` }),
      cancel(`later ${type}`),
    ]),
  )
}

function childOf(self: AnyActorRef, id: string): AnyActorRef | undefined {
  try {
    return (self.getSnapshot() as { children: Record<string, AnyActorRef> }).children[id]
  } catch {
    // It is still being created.
    return undefined
  }
}

const input = ({ context, self }: Args) => ({ n: context.n, above: self })

function spawned({ dice, names, inline, ids }: Yard): unknown {
  const src = names.length === 0 || dice.chance(0.4) ? dice.pick(inline) : dice.pick(names)
  const id = dice.chance(0.6) ? `kid${ids.length}` : undefined
  if (id !== undefined) ids.push(id)
  const options = { ...(id !== undefined && { id }), input, ...(dice.chance(0.3) && { syncSnapshot: true }) }
  return fuelled(spawnChild(src as never, options as never))
}

function called({ dice, names, inline, ids }: Yard): unknown {
  const src = names.length === 0 || dice.chance(0.4) ? dice.pick(inline) : dice.pick(names)
  const id = dice.chance(0.6) ? `heir${ids.length}` : undefined
  const systemId = dice.chance(0.2) ? `known ${String(id)}` : undefined
  if (id !== undefined) ids.push(id)
  type Spawn = (src: unknown, options: object) => AnyActorRef
  const make = ({ context, spawn, self }: Args & { readonly spawn: Spawn }) => {
    if (context.refs.length > 2) return context.refs
    const named = context.refs.length === 0 && systemId !== undefined && { systemId }
    return [
      ...context.refs,
      spawn(src, { ...(id !== undefined && { id }), ...named, input: { above: self } }),
    ]
  }
  return assign({ refs: make as never })
}

function stopped({ dice, ids }: Yard): unknown {
  return stopChild(ids.length > 0 ? dice.pick(ids) : 'none')
}

function raised({ dice }: Yard): unknown {
  const type = dice.pick(EVENTS)
  return fuelled(dice.pick([raise({ type }), raise({ type }, { delay: dice.below(6) })]))
}

function talked({ dice }: Yard): unknown {
  const type = dice.pick(EVENTS)
  return fuelled(
    dice.chance(0.5)
      ? sendParent({ type })
      : sendTo(({ self }: Args) => self._parent as AnyActorRef, { type }),
  )
}

/** Custom code. */
function own({ dice, world }: Yard): unknown {
  const { note, poke } = world
  return dice.pick([
    ({ context }: Args) => note(`sees ${context.n}`),
    ({ event }: Args) => poke(`action at ${event.type}`),
    ({ self }: Args) =>
      world.dice.chance(0.3) && world.mayGoOn() && self.send({ type: world.dice.pick(EVENTS), by: 'itself' }),
    ({ context }: Args) =>
      world.mayGoOn() && context.refs[0]?.send({ type: 'b', by: 'the one who keeps it' }),
    () => {
      if (world.dice.chance(0.05)) throw new Error('an action failed')
    },
    { type: 'unknown to the machine', params: { n: 1 } },
  ])
}

/** Only as long as there is fuel: systems must not answer themselves forever. */
function fuelled(action: unknown): unknown {
  return enqueueActions(({ context, enqueue }) => {
    if ((context as Context).fuel <= 0) return
    enqueue.assign({ fuel: (context as Context).fuel - 1 })
    enqueue(action as never)
  })
}
