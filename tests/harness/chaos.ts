// Chaos: 24 virtual hours of a profile's life from one seed, and the calm in which everything must recover.
import { DEFAULT_INVARIANT_OPTIONS } from '../../src/trace/invariants/invariants.ts'
import { chaosActions, type ChaosAction } from './chaos-actions.ts'
import { FAIR } from './world-network.ts'
import type { WorldTab } from './world-tab.ts'
import { brokenIn, createWorld, type World } from './world.ts'

const HOUR = 3_600_000

/** Milliseconds from the last fault to authenticated, open and joined. */
export const RESTS_WITHIN = DEFAULT_INVARIANT_OPTIONS.restsWithin

export interface ChaosReport {
  readonly seed: number
  /** As text; empty when nothing failed. */
  readonly broken: readonly string[]
  /** The actions, for readers. */
  readonly log: readonly string[]
  readonly tabs: readonly WorldTab[]
  readonly world: World
  /** Milliseconds until calm. */
  readonly settledAfter: number
}

export interface ChaosOptions {
  readonly hours?: number
  readonly broken?: World['broken']
  readonly mutant?: World['mutant']
}

/** One schedule, from its seed alone. */
export async function runChaos(
  seed: number,
  { hours = 24, broken, mutant }: ChaosOptions = {},
): Promise<ChaosReport> {
  const lacks = { locks: seed % 10 === 7, channels: seed % 5 === 3 }
  const rules = { lifetime: seed % 6 === 0 ? 1_200 : 3_600, reuseInterval: 10 }
  const world = createWorld({
    seed,
    lacks,
    ...(broken && { broken }),
    ...(mutant && { mutant }),
    invariants: { timerLag: 1_000 },
    ...rules,
  })
  const log: string[] = []
  const actions = chaosActions(world)
  await begin(world)
  const end = hours * HOUR
  let next = actions.first()
  while (next.at < end && world.clock.now() < end) {
    await world.clock.advance(Math.max(0, next.at - world.clock.now()))
    log.push(`${clockTime(world.clock.now())} ${await act(next)}`)
    for (const tab of world.tabs) tab.look()
    next = actions.next()
  }
  await world.clock.advance(Math.max(0, end - world.clock.now()))
  const settledAfter = await settle(world, log)
  return {
    seed,
    world,
    log,
    settledAfter,
    tabs: [...world.gone, ...world.tabs],
    broken: await conclude(world),
  }
}

const act = async (action: ChaosAction) => (await action.run()) ?? action.name

/** Up to four tabs; one of them signs in and all but the last have a channel. */
async function begin(world: World): Promise<void> {
  const count = 1 + world.below(3)
  for (let n = 0; n < count; n++) {
    const tab = world.open()
    await world.clock.advance(world.below(2_000))
    if (n === 0) tab.signIn('skipper@harbour.test')
    if (n === 0 || n < count - 1) tab.send({ type: 'channel.join', topic: 'bridge', options: {} })
  }
}

/** All faults are over; a signed-out tab signs in, and a denied channel is requested again. */
async function settle(world: World, log: string[]): Promise<number> {
  world.network.conditions = FAIR
  world.network.isOnline = true
  world.storage.mood = 'well'
  for (const tab of world.tabs) {
    tab.release()
    tab.page.resume()
    tab.page.networkChanged()
    tab.page.show(true)
  }
  if (world.tabs.length === 0) world.open()
  for (const tab of world.tabs) {
    const { channels } = tab.status()
    const denied = Object.keys(channels).filter(topic => channels[topic]?.phase === 'denied')
    for (const topic of denied) tab.send({ type: 'channel.leave', topic })
    for (const topic of ['bridge', ...denied]) tab.send({ type: 'channel.join', topic, options: {} })
  }
  log.push(`${clockTime(world.clock.now())} calm`)
  const from = world.clock.now()
  while (world.clock.now() - from < RESTS_WITHIN) {
    await world.clock.advance(1_000)
    if (world.tabs.every(tab => restlessness(tab) === undefined)) break
    if ((world.clock.now() - from) % 20_000 !== 1_000) continue
    const out = world.tabs.find(tab => tab.status().session.phase === 'signedOut')
    out?.signIn('skipper@harbour.test')
    if (out) log.push(`${clockTime(world.clock.now())} ${out.name} signs in`)
  }
  for (const tab of world.tabs) {
    const why = restlessness(tab)
    if (why !== undefined) world.violations.push(reportUnsettled(tab, world, why))
  }
  return world.clock.now() - from
}

const reportUnsettled = (tab: WorldTab, world: World, why: string) => {
  const place = { seq: tab.recorder.trace.steps.length - 1, t: world.clock.now(), actor: 'client' }
  return { tab: tab.name, violation: { invariant: 'comesToRest' as const, ...place, why } }
}

/** What is wrong with a tab in calm weather, as text. */
function restlessness(tab: WorldTab): string | undefined {
  const { session, connection, channels, requests } = tab.status()
  if (session.phase !== 'authenticated') return `the session is ${session.phase}`
  if (session.token.state === 'expired') return 'the token has expired'
  if (connection.phase !== 'open') return `the socket is ${connection.phase}`
  if (!channels['bridge']) return 'no topic is joined'
  for (const [topic, { phase, postgres, data }] of Object.entries(channels)) {
    if (phase !== 'joined') return `channel ${topic} is ${phase}`
    if (postgres !== 'none' && postgres !== 'live') return `row changes of ${topic} are ${postgres}`
    if (data !== 'none' && data !== 'live') return `the data of ${topic} is ${data}`
  }
  return requests.waiting + requests.sending > 0 ? 'requests are open' : undefined
}

/** Disposes of everything and collects what failed. */
async function conclude(world: World): Promise<string[]> {
  for (const tab of world.tabs.slice()) tab.dispose()
  await world.clock.advance(1_000)
  const open = world.gone.filter(({ isKilled, openCalls }) => !isKilled && openCalls > 0)
  return [
    ...brokenIn(world),
    ...open.map(({ name, openCalls }) => `${name}: ${openCalls} requests of the app never ended.`),
  ]
}

const clockTime = (ms: number) =>
  [ms / HOUR, (ms / 60_000) % 60, (ms / 1000) % 60]
    .map(part => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
