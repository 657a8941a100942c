// The client of a tab, composed as in `createChartroomClient`, from our real services on a world's parts.
import type { clientMachine } from '../../src/machines/client.ts'
import type { KeyFamily } from '../../src/machines/failure.ts'
import type { CheckKeyEvent } from '../../src/machines/ports.ts'
import { DEFAULT_TIMINGS } from '../../src/machines/timings.ts'
import {
  CLIENT_SYSTEM,
  composeClient,
  declaredPorts,
  type ClientPorts,
} from '../../src/services/client/compose-client.ts'
import { effect } from '../../src/services/runtime/effect.ts'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { checkKey } from '../../src/services/client/requests/check-key.ts'
import { createGatedFetch } from '../../src/services/client/requests/gated-fetch.ts'
import { machineCharts } from '../../src/services/runtime/machine-chart.ts'
import { createRecorder } from '../../src/services/recording/record.ts'
import type { Recorder } from '../../src/services/recording/unwritten-recorder.ts'
import { createSessionStore } from '../../src/services/client/auth/session-store.ts'
import { createAuthPorts } from '../../src/services/client/auth/supabase-auth.ts'
import * as account from '../../src/services/client/auth/supabase-account.ts'
import { createTabsPorts, type TabsOptions } from '../../src/services/client/tabs/tabs.ts'
import { createTickerPort } from '../../src/services/client/environment.ts'
import { createVault, type Credentials } from '../../src/services/client/auth/vault.ts'
import { createTabClock } from './world-clock.ts'
import { createPage } from './world-page.ts'
import { createWorldRealtime } from './world-realtime.ts'
import { WORLD_KEY } from './world-server.ts'
import type { World } from './world.ts'

export const URL_BASE = 'http://world.test'
const STORAGE_KEY = 'sb-world-auth-token'

/** The same for every tab of every world. */
const MACHINES = machineCharts(composeClient(declaredPorts))

/** A client that is not started. */
export function createWorldClient(world: World, name: string) {
  const clock = createTabClock(world.clock, world.device)
  const entropy = createSeededEntropy(world.below(2 ** 32))
  const page = createPage(clock, () => world.network.isOnline)
  const storage = world.storage.viewOf(clock, page.storageChanged)
  const locks = world.locks.locksOf(clock, name)
  const network = world.network.fetchOf(clock)
  const vault = createVault(() => undefined)
  const gated = createGatedFetch({
    url: URL_BASE,
    key: WORLD_KEY,
    fetch: network.fetch,
    now: clock.now,
    redactUrl: url => url,
    keepAlive: () => () => undefined,
    accessToken: tokenId => vault.session(tokenId)?.access_token,
    start: info => recorder.send({ type: 'request.start', info, at: clock.now() }),
    abort: id => recorder.send({ type: 'request.abort', id }),
  })
  const backend = { url: URL_BASE, key: WORLD_KEY, clock, vault, storage, storageKey: STORAGE_KEY }
  const ports = {
    ...createAuthPorts({
      ...backend,
      fetch: network.fetch,
      store: createSessionStore(storage, STORAGE_KEY, true),
      account: () => Promise.resolve(account),
      flowType: 'implicit',
      page: undefined,
      isOurs: false,
      ...entropy,
    }),
    ...createTabsPorts({
      key: STORAGE_KEY,
      isShared: true,
      clock,
      locks: world.lacks.locks ? undefined : (locks as unknown as NonNullable<TabsOptions['locks']>),
      BroadcastChannel: world.lacks.channels ? undefined : world.bus.classOf(clock),
      window: page.window,
    }),
    ...createWorldRealtime({
      world,
      tab: clock,
      isOfUser: () => recorder.actor.getSnapshot().context.gate.kind === 'user',
      accessToken: () => vault.session(recorder.actor.getSnapshot().context.token?.id ?? '')?.access_token,
    }),
    ticker: createTickerPort(clock),
    environment: page.environment,
    send: gated.send,
    checkKey: effect<{ readonly families: readonly KeyFamily[] }, CheckKeyEvent>(({ families }, signal) =>
      checkKey({ url: URL_BASE, key: WORLD_KEY, fetch: network.fetch }, families, signal),
    ),
    ...world.broken(clock),
  }
  const recorder: Recorder<typeof clientMachine> = createRecorder({
    system: CLIENT_SYSTEM,
    appVersion: 'world',
    clock,
    entropy,
    compose() {
      const machine = composeClient(ports as unknown as ClientPorts)
      return world.mutant ? (world.mutant(machine) as typeof clientMachine) : machine
    },
    input: { timings: DEFAULT_TIMINGS, seed: world.below(2 ** 32) },
    machines: MACHINES,
  })
  recorder.actor.on('*', event =>
    queueMicrotask(() => {
      if (event.type === 'request.settled') gated.settle(event.output)
      if (event.type === 'request.receiving') gated.answer(event.id)
    }),
  )
  return {
    clock,
    page,
    recorder,
    gated,
    keep(attempt: string, email: string) {
      const password = 'harbour-demo'
      const run: Credentials['run'] = client => client.signInWithPassword({ email, password })
      vault.put(attempt, { secrets: [password], run })
    },
    dispose() {
      recorder.stop()
      gated.dispose()
      vault.forget()
      const left = [...counted(clock.pending(), 'timers'), ...counted(network.inFlight(), 'calls')]
      if (left.length > 0) world.complain(name, `${left.join(' and ')} outlived the dispose.`)
    },
    drop() {
      storage.drop()
      locks.drop()
      world.bus.drop(clock)
    },
  }
}

const counted = (count: number, what: string) => (count > 0 ? [`${count} ${what}`] : [])
