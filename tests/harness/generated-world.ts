// The world of a generated system: a clock, dice, a log of everything that its code does, and a message bus.
import type { AnyActorRef, AnyEventObject } from 'xstate'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

/** Dice for generating a system: the same seed gives the same system. */
export interface Dice {
  /** True with this probability. */
  chance(probability: number): boolean
  below(count: number): number
  pick<T>(items: readonly T[]): T
}

export function createDice(seed: number): Dice {
  const { random } = createSeededEntropy(seed)
  const below = (count: number) => Math.floor(random() * count)
  return {
    chance: probability => random() < probability,
    below,
    pick: items => items[below(items.length)] as (typeof items)[number],
  }
}

export const EVENTS = ['a', 'b', 'c', 'd', 'e'] as const

export type World = ReturnType<typeof createWorld>

/** What effects do and see; none of it exists in a replay. */
export function createWorld(seed: number) {
  const dice = createDice(seed)
  const log: string[] = []
  let root: AnyActorRef | undefined
  /** Bounds what effects cause, since systems may answer themselves forever. */
  let budget = 12
  let left = 15
  let timers = 25
  const clock = createVirtualClock()
  return {
    clock,
    dice,
    log,
    note: (line: string) => void log.push(line),
    /** An effect's own timer. */
    later: (fn: () => void, ms: number): unknown => (timers-- > 0 ? clock.setTimeout(fn, ms) : undefined),
    /** Whether one more thing may be sent. */
    mayGoOn: () => left-- > 0,
    own: (actor: AnyActorRef) => void (root = actor),
    /** Sends from outside the system to its root, or to one of its actors. */
    poke(why: string): void {
      if (!root || budget-- <= 0) return
      const target = dice.chance(0.5) ? root : someActor(root, dice)
      const event: AnyEventObject = { type: dice.pick(EVENTS), by: why }
      log.push(`${why} sends ${event.type}`)
      target.send(event)
    },
  }
}

/** Any actor that can be reached from this one. */
export function someActor(from: AnyActorRef, dice: Dice): AnyActorRef {
  const snapshot: unknown = from.getSnapshot()
  const isParent = typeof snapshot === 'object' && snapshot !== null && 'children' in snapshot
  const children = isParent ? Object.values(snapshot.children as Record<string, AnyActorRef | undefined>) : []
  const child = dice.chance(0.7) && children.length > 0 ? dice.pick(children) : undefined
  return child ? someActor(child, dice) : from
}
