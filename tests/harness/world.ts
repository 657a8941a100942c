// A virtual world: one device with tabs that share storage, locks and channels, a network and a server.
import {
  describeViolation,
  type InvariantOptions,
  type Violation,
} from '../../src/trace/invariants/invariants.ts'
import { checkTabs } from '../../src/trace/invariants/tabs.ts'
import type { ClientPorts } from '../../src/services/client/compose-client.ts'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { createWorldClock, type TabClock, type WorldClock } from './world-clock.ts'
import { createNetwork, type Network } from './world-network.ts'
import type { Mutant } from './mutants.ts'
import type { Harbour } from './world-realtime.ts'
import { createWorldServer, type ServerRules, type WorldServer } from './world-server.ts'
import type { RawClocks } from '../../src/services/runtime/clock.ts'
import { createWorldLocks } from './world-locks.ts'
import { createWorldBus, createWorldStorage, type WorldStorage } from './world-shared.ts'
import { openTab, type WorldTab } from './world-tab.ts'

/** When the worlds begin, by the server's clock. */
const BEGINNING = Date.parse('2026-01-01T00:00:00Z')

export interface World {
  readonly clock: WorldClock
  readonly server: WorldServer
  readonly network: Network
  readonly storage: WorldStorage
  readonly harbour: Harbour
  readonly locks: ReturnType<typeof createWorldLocks>
  readonly bus: ReturnType<typeof createWorldBus>
  readonly random: () => number
  /** An integer in [0, n). */
  readonly below: (n: number) => number
  /** The clocks of the device. Its time of day is `skew` ahead of the server's. */
  readonly device: RawClocks
  skew: number
  /** What this browser does not offer. */
  readonly lacks: { readonly locks: boolean; readonly channels: boolean }
  /** Ports that replace ours: broken ones, to check that this is detected. */
  readonly broken: (tab: TabClock) => Partial<ClientPorts>
  /** Breaks a machine of every client in the same way. */
  readonly mutant: Mutant | undefined
  /** The device sleeps for this long: nothing runs, and its monotonic clock may stop. */
  sleep(ms: number): Promise<void>
  /** The open tabs, in the order of opening. */
  readonly tabs: WorldTab[]
  /** Those that were closed, disposed of or killed. */
  readonly gone: WorldTab[]
  readonly violations: { readonly tab: string; readonly violation: Violation }[]
  readonly options: Partial<InvariantOptions>
  open(): WorldTab
  /** A violation that no trace shows. */
  complain(tab: string, why: string): void
}

export interface WorldOptions extends ServerRules {
  readonly seed: number
  readonly invariants?: Partial<InvariantOptions>
  readonly lacks?: Partial<World['lacks']>
  readonly broken?: World['broken']
  readonly mutant?: Mutant
}

/** A world without tabs, in fair weather; everything in it follows from the seed. */
export function createWorld({
  seed,
  invariants = {},
  lacks = {},
  broken = () => ({}),
  mutant,
  ...rules
}: WorldOptions): World {
  const { random } = createSeededEntropy(seed)
  let steps = 0
  const hasMoved = () => {
    const before = steps
    steps = world.tabs.reduce((sum, { recorder }) => sum + recorder.trace.version(), 0)
    return steps !== before
  }
  const clock = createWorldClock(hasMoved)
  const server = createWorldServer(clock.now, BEGINNING, rules)
  // Whether the monotonic clock counts while the device sleeps differs between systems.
  const isStill = random() < 0.5
  let [count, uncounted] = [0, 0]
  const world: World = {
    clock,
    server,
    network: createNetwork(clock, server, random),
    storage: createWorldStorage(),
    harbour: { sockets: new Set(), topics: new Set() },
    locks: createWorldLocks(),
    bus: createWorldBus(),
    random,
    below: n => Math.floor(random() * n),
    device: {
      monotonic: () => clock.now() - uncounted,
      wall: () => BEGINNING + clock.now() + world.skew,
    },
    skew: 0,
    lacks: { locks: false, channels: false, ...lacks },
    broken,
    mutant,
    async sleep(ms) {
      const tabs = world.tabs.filter(tab => !tab.isHeld)
      for (const tab of tabs) tab.hold()
      await clock.advance(ms)
      if (isStill) uncounted += ms
      for (const tab of tabs) tab.release()
    },
    tabs: [],
    gone: [],
    violations: [],
    options: invariants,
    open() {
      const tab = openTab(world, `tab ${++count}`)
      world.tabs.push(tab)
      return tab
    },
    complain(tab, why) {
      const t = clock.now()
      world.violations.push({
        tab,
        violation: { invariant: 'nothingOutlives', seq: -1, t, actor: 'client', why },
      })
    },
  }
  return world
}

/** What must not have happened in any tab so far, as text. */
export function brokenIn(world: World): readonly string[] {
  const { gone, tabs, server, storage, lacks, violations } = world
  for (const tab of [...gone, ...tabs]) tab.look()
  return [
    ...violations.map(({ tab, violation }) => `${tab}: ${describeViolation(violation)}`),
    // Without locks tabs can only desynchronize by chance.
    ...(lacks.locks ? [] : overlaps([...gone, ...tabs])).map(describeViolation),
    ...server.complaints,
    // A token that could not be stored is lost to the other tabs, which then spend its predecessor again.
    ...(server.counts.reused > 0 && storage.refusals === 0
      ? [`A refresh token was spent twice, ${server.counts.reused} times.`]
      : []),
  ]
}

/** Refreshes of different tabs at the same time. */
const overlaps = (tabs: readonly WorldTab[]): readonly Violation[] =>
  checkTabs(
    tabs.map(({ name, recorder, clock, startedAt, away }) => ({
      name,
      trace: recorder.trace,
      shared: t => clock.toWorld(startedAt + t),
      away,
    })),
  )
