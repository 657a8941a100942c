// What a restless user and their app do in a day of chaos.
import { awake, pick, type Said } from './chaos-schedule.ts'
import type { World } from './world.ts'

const USERS = ['skipper@harbour.test', 'mate@harbour.test']
const TOPICS = ['bridge', 'engine', 'galley']

export function calls(world: World, tab = awake(world)): Said {
  const count = 1 + world.below(6)
  for (let n = 0; n < count; n++) {
    const controller = new AbortController()
    tab?.call(world.random() < 0.7 ? 'GET' : 'POST', controller.signal)
    if (tab && world.random() < 0.15) tab.clock.arrive(() => controller.abort(), world.below(3_000))
  }
  return tab && `${tab.name} makes ${count} calls`
}

export function join(world: World): Said {
  const [tab, topic] = [awake(world), pick(world, TOPICS) ?? '']
  const options = world.random() < 0.5 ? {} : { postgresChanges: [{ event: '*', schema: 'public' } as const] }
  tab?.send({ type: 'channel.join', topic, options })
  return tab && `${tab.name} joins ${topic}`
}

export function leave(world: World): Said {
  const [tab, topic] = [awake(world), pick(world, TOPICS) ?? '']
  tab?.send({ type: 'channel.leave', topic })
  return tab && `${tab.name} leaves ${topic}`
}

/** Sometimes without limits, like a page in a loop. */
export function refresh(world: World): Said {
  const tab = awake(world)
  const count = world.random() < 0.3 ? 20 : 1
  const ask = () => tab && world.tabs.includes(tab) && tab.send({ type: 'refresh.request' })
  for (let n = 0; n < count; n++) tab?.clock.arrive(ask, n * world.below(3_000))
  return tab && `${tab.name} requests a new token ${count} times`
}

export function signOut(world: World): Said {
  const tab = awake(world)
  const scope = world.random() < 0.5 ? 'local' : 'global'
  tab?.signOut(scope)
  return tab && `${tab.name} signs out (${scope})`
}

export function signIn(world: World): Said {
  const tab = world.tabs.find(one => !one.isHeld && one.status().session.phase === 'signedOut')
  const email = pick(world, USERS) ?? ''
  tab?.signIn(email)
  return tab && `${tab.name} signs in as ${email}`
}
