// A day of chaos as a schedule: weighted random actions, and the ends of what they began.
import { MINUTE, type PerformAction, type Later, type Said } from './chaos-schedule.ts'
import * as device from './chaos-device.ts'
import * as tabs from './chaos-tabs.ts'
import * as user from './chaos-user.ts'
import type { World } from './world.ts'

export interface ChaosAction {
  /** On the world's clock. */
  readonly at: number
  readonly name: string
  readonly run: () => Said | Promise<Said>
}

/** How often each action happens, by weight. */
const ACTIONS: readonly (readonly [weight: number, deed: PerformAction])[] = [
  [12, world => user.calls(world)],
  [5, device.changeNetwork],
  [4, device.offline],
  [3, device.sleep],
  [4, tabs.freeze],
  [4, tabs.hide],
  [3, tabs.hang],
  [8, tabs.rush],
  [3, tabs.kill],
  [2, tabs.close],
  [5, tabs.open],
  [3, user.join],
  [2, user.leave],
  [3, user.refresh],
  [1, user.signOut],
  [7, user.signIn],
  [1, device.clearStorage],
  [2, device.badStorage],
  [1, device.skew],
  [1, device.endSessions],
  [2, device.breakSockets],
  [1, device.closeTopics],
]
const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)

/** An endless schedule: the next action is always known; actions are drawn one at a time. */
export function chaosActions(world: World) {
  const planned: ChaosAction[] = []
  const plan = (action: ChaosAction) => {
    planned.push(action)
    planned.sort((a, b) => a.at - b.at)
  }
  const later: Later = (ms, name, run) =>
    plan({
      at: world.clock.now() + ms,
      name,
      run() {
        run()
        return undefined
      },
    })
  const nextAction = (): ChaosAction => ({
    at: world.clock.now() + pauseOf(world),
    name: 'nothing',
    run: async () => {
      const message = await pickAction(world)(world, later)
      plan(nextAction())
      return message
    },
  })
  const next = () => planned.shift() as ChaosAction
  return {
    first() {
      plan(nextAction())
      plan({ at: world.below(16 * 60 * MINUTE), name: 'night', run: () => device.night(world) })
      return next()
    },
    next,
  }
}

/** Troubles come in bursts, with calm hours between them. */
const pauseOf = ({ random, below }: World) => (random() < 0.8 ? below(20_000) : below(100 * MINUTE))

function pickAction(world: World): PerformAction {
  let roll = world.below(TOTAL)
  for (const [weight, perform] of ACTIONS) {
    roll -= weight
    if (roll < 0) return perform
  }
  return world => user.calls(world)
}
