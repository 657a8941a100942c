// Systems generated from a seed: nested and parallel machines with history, guards, delays and children of
// every kind.
import { setup } from 'xstate'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { env } from '../../src/services/runtime/ambient-env.ts'
import { generateAction } from './generated-actions.ts'
import type { Context, Yard } from './generated-actions.ts'
import { generateLeaf } from './generated-leaves.ts'
import { createDice, EVENTS } from './generated-world.ts'
import type { Dice, World } from './generated-world.ts'

/** A root for this seed: mostly a machine, sometimes a single leaf. */
export function generateSystem(seed: number, world: World): AnyActorLogic {
  const dice = createDice(seed)
  return dice.chance(0.03) ? generateLeaf(dice, world, 'alone') : generateMachine(dice, world, 2, 'root')
}

function generateMachine(dice: Dice, world: World, depth: number, id: string): AnyStateMachine {
  const child = (at: number) =>
    depth > 0 && dice.chance(0.3)
      ? generateMachine(dice, world, depth - 1, `${id}${at}`)
      : generateLeaf(dice, world, `${id} leaf ${at}`)
  const named = Object.fromEntries(Array.from({ length: 2 }, (_, at) => [`named${at}`, child(at)]))
  const inline = Array.from({ length: 2 }, (_, at) => child(at + 2))
  const ids: string[] = []
  const yard: Yard = { dice, world, isRoot: depth === 2, names: Object.keys(named), inline, ids }
  return setup({
    actors: named as never,
    delays: { jitter: () => 1 + env.random() * 4 },
    guards: { even: ({ context }) => (context as Context).n % 2 === 0, coin: () => env.random() < 0.5 },
  }).createMachine({
    ...state(yard, 2, id),
    // A failing child does not end the machine.
    on: { ...(state(yard, 0, id)['on'] as Config), 'xstate.error.actor.*': {} },
    id,
    context: () => ({ n: 0, fuel: 5, kept: env.random(), refs: [] }),
    output: ({ context }: { context: unknown }) => ({ n: (context as Context).n }),
  } as never) as unknown as AnyStateMachine
}

type Config = Record<string, unknown>

function state(yard: Yard, depth: number, path: string): Config {
  const { dice } = yard
  const shape = depth > 0 ? dice.pick(['compound', 'parallel', 'compound', 'atomic']) : 'atomic'
  const isRoot = depth === 2
  const keys = shape === 'atomic' && !isRoot ? [] : ['s0', 's1', 's2'].slice(0, 2 + dice.below(2))
  const states = Object.fromEntries(keys.map(key => [key, state(yard, depth - 1, `${path}.${key}`)]))
  if (dice.chance(0.3) && keys.length > 0)
    states['past'] = { type: 'history', history: dice.pick(['deep', 'shallow']), target: 's1' }
  const isParallel = shape === 'parallel'
  if (!isParallel && keys.length > 0 && dice.chance(0.3)) states['end'] = { type: 'final' }
  const targets = isParallel ? [] : Object.keys(states)
  if (keys.length > 0 && !isParallel) connect(yard, states, keys, targets)
  return {
    ...(isParallel ? { type: 'parallel' } : keys.length > 0 && { initial: 's0' }),
    ...(keys.length > 0 && { states }),
    ...(dice.chance(0.3) && { entry: actions(yard) }),
    ...(dice.chance(0.2) && { exit: actions(yard) }),
    ...(dice.chance(isRoot ? 0.8 : 0.2) && { invoke: invokes(yard) }),
    on: Object.fromEntries(
      EVENTS.filter(() => dice.chance(isRoot ? 0.8 : 0.2)).map(type => [type, { actions: actions(yard) }]),
    ),
  }
}

/** Transitions between the children of a compound state; `always` only leads forward, so that it ends. */
function connect(
  yard: Yard,
  states: Record<string, unknown>,
  keys: readonly string[],
  targets: readonly string[],
) {
  const { dice } = yard
  keys.forEach((key, at) => {
    const node = states[key] as Config
    const on = node['on'] as Config
    const to = () => ({
      target: dice.pick(targets),
      ...(dice.chance(0.4) && { guard: dice.pick(['even', 'coin']) }),
      ...(dice.chance(0.5) && { actions: actions(yard) }),
    })
    for (const type of EVENTS) if (dice.chance(0.5)) on[type] = dice.chance(0.3) ? [to(), to()] : to()
    const later = keys.slice(at + 1)
    if (later.length > 0 && dice.chance(0.2)) node['always'] = { target: dice.pick(later), guard: 'coin' }
    if (dice.chance(0.3))
      node['after'] = { [dice.pick(['jitter', '2', '5'])]: { target: dice.pick(targets) } }
  })
}

function actions(yard: Yard): unknown[] {
  return Array.from({ length: 1 + yard.dice.below(2) }, () => generateAction(yard))
}

function invokes(yard: Yard): unknown[] {
  const { dice, names, inline, ids } = yard
  return Array.from({ length: 1 + dice.below(2) }, () => {
    const id = dice.chance(0.5) ? `job${ids.length}` : undefined
    if (id !== undefined) ids.push(id)
    return {
      src: dice.chance(0.5) ? dice.pick(names) : dice.pick(inline),
      ...(id !== undefined && { id }),
      input: ({ context }: { context: Context }) => ({ n: context.n }),
      ...(dice.chance(0.6) && { onDone: { actions: actions(yard) } }),
      ...(dice.chance(0.95) && { onError: { actions: actions(yard) } }),
      ...(dice.chance(0.3) && { onSnapshot: { actions: actions(yard) } }),
    }
  })
}
