// What every action of a day of chaos gets: the world it acts on, and a way to plan its end.
import type { WorldTab } from './world-tab.ts'
import type { World } from './world.ts'

/** As text; defaults to the name of the action. */
export type Said = string | undefined

/** Plans the end of something that has begun. */
export type Later = (ms: number, name: string, run: () => void) => void

/** Returns what was done, or undefined when there was nothing to do it to. */
export type PerformAction = (world: World, later: Later) => Said | Promise<Said>

export const MINUTE = 60_000

export const pick = <T>({ below }: World, items: readonly T[]): T | undefined => items[below(items.length)]

/** A tab whose code runs. */
export const awake = (world: World): WorldTab | undefined => {
  const running = world.tabs.filter(tab => !tab.isHeld)
  return pick(world, running)
}

/** How long a trouble lasts: mostly short, sometimes long. */
export const span = ({ random, below }: World) => (random() < 0.85 ? below(90_000) : below(25 * MINUTE))
