// What happens to tabs in a day of chaos: they are hidden, freeze, hang, die and are reopened.
import { awake, MINUTE, pick, span, type Later, type Said } from './chaos-schedule.ts'
import { calls } from './chaos-user.ts'
import type { WorldTab } from './world-tab.ts'
import type { World } from './world.ts'

const MOST_TABS = 4

/** Lets a tab run again, and notifies it of changes of the device in between. */
function wake(world: World, tab: WorldTab): void {
  if (!world.tabs.includes(tab)) return
  tab.release()
  tab.page.resume()
  tab.page.networkChanged()
}

export async function freeze(world: World, later: Later): Promise<Said> {
  const tab = awake(world)
  if (!tab) return undefined
  tab.page.show(false)
  tab.page.freeze()
  await world.clock.advance(1)
  tab.hold()
  later(span(world), `${tab.name} resumes`, () => {
    wake(world, tab)
    tab.page.show(true)
  })
  return `${tab.name} is frozen`
}

export function hide(world: World, later: Later): Said {
  const tab = awake(world)
  tab?.page.show(false)
  if (tab) later(world.below(240 * MINUTE), `${tab.name} is shown`, () => tab.page.show(true))
  return tab && `${tab.name} is hidden`
}

/** Its code stops in the middle of whatever it does, with its locks held. */
export function hang(world: World, later: Later): Said {
  const tab = awake(world)
  tab?.hold()
  if (tab) later(world.below(3 * MINUTE), `${tab.name} resumes`, () => wake(world, tab))
  return tab && `${tab.name} hangs`
}

/** Every tab requests a new token at once, and one of them fails in the middle of it. */
export async function rush(world: World, later: Later): Promise<Said> {
  for (const tab of world.tabs) if (!tab.isHeld) tab.send({ type: 'refresh.request' })
  const roll = world.random()
  if (roll > 0.7) return 'every tab requests a new token'
  await world.clock.advance(world.below(120))
  const fate = roll < 0.3 ? hang(world, later) : roll < 0.5 ? await freeze(world, later) : kill(world)
  return `every tab requests a new token; ${fate ?? 'nothing more'}`
}

export function kill(world: World): Said {
  const tab = pick(world, world.tabs)
  tab?.kill()
  return tab && `${tab.name} is killed`
}

export function close(world: World): Said {
  const tab = awake(world)
  tab?.dispose()
  return tab && `${tab.name} is closed`
}

export function open(world: World): Said {
  if (world.tabs.length >= MOST_TABS) return undefined
  const tab = world.open()
  if (world.random() < 0.5) calls(world, tab)
  if (world.random() < 0.6) tab.send({ type: 'channel.join', topic: 'bridge', options: {} })
  return `${tab.name} is opened`
}
