// What happens to the device, its storage, the network and the server in a day of chaos.
import { MINUTE, pick, span, type Later } from './chaos-schedule.ts'
import { calls } from './chaos-user.ts'
import { FAIR, type NetworkConditions } from './world-network.ts'
import type { StorageMood } from './world-shared.ts'
import type { World } from './world.ts'

const STORMS: Readonly<Record<string, NetworkConditions>> = {
  'a lossy network': { ...FAIR, latency: 2_000, lost: 0.3, answerLost: 0.1 },
  'responses that are lost after the work': { ...FAIR, answerLost: 0.7 },
  'an overloaded server': { ...FAIR, latency: 6_000, unavailable: 0.5, tooMany: 0.2 },
  'a rate limit': { ...FAIR, tooMany: 0.8 },
  'a server that does not respond': { ...FAIR, silent: 0.6 },
  'a server that rejects valid tokens': { ...FAIR, refused: 0.3 },
  'realtime that rejects all clients': { ...FAIR, notJoined: 0.7 },
  'no server at all': { ...FAIR, unavailable: 1 },
}

export function sleep(world: World): Promise<string> {
  return nap(world, world.random() < 0.7 ? world.below(10 * MINUTE) : world.below(180 * MINUTE))
}

/** Every day has at least one. */
export const night = (world: World) => nap(world, (360 + world.below(180)) * MINUTE)

async function nap(world: World, ms: number): Promise<string> {
  // Sockets do not survive a sleep of any length; the device is not notified.
  for (const socket of world.harbour.sockets) socket.isDead ||= ms > MINUTE
  await world.sleep(ms)
  // An app reloads what it shows before the sleep is detected.
  for (const tab of world.tabs) if (!tab.isHeld) calls(world, tab)
  return `the device slept for ${Math.round(ms / 1000)} s`
}

export function changeNetwork(world: World, later: Later): string {
  const name = pick(world, Object.keys(STORMS)) ?? ''
  world.network.conditions = STORMS[name] ?? FAIR
  later(span(world), 'fair weather', () => void (world.network.conditions = FAIR))
  return name
}

export function offline(world: World, later: Later): string {
  const set = (isOnline: boolean) => {
    world.network.isOnline = isOnline
    for (const tab of world.tabs) if (!tab.isHeld) tab.page.networkChanged()
  }
  set(false)
  later(span(world), 'online', () => set(true))
  return 'offline'
}

export function clearStorage(world: World): string {
  world.storage.clear()
  return 'the storage is cleared'
}

export function badStorage(world: World, later: Later): string {
  const mood: StorageMood = world.random() < 0.5 ? 'full' : 'throws'
  world.storage.mood = mood
  later(span(world), 'the storage works again', () => void (world.storage.mood = 'well'))
  return `the storage is ${mood}`
}

export function skew(world: World): string {
  world.skew = (world.random() - 0.5) * 20 * MINUTE
  return `the clock is ${Math.round(world.skew / 1000)} s ahead`
}

export function endSessions(world: World): string {
  world.server.endSessions()
  return 'the server ends all sessions'
}

export function breakSockets(world: World): string {
  for (const socket of world.harbour.sockets) {
    if (world.random() < 0.5) socket.close(1006, '')
    else socket.isDead = true
  }
  return 'sockets break'
}

export function closeTopics(world: World): string {
  for (const close of world.harbour.topics)
    close('RealtimeRestarting: Realtime is restarting, please standby')
  return 'the server closes all topics'
}
