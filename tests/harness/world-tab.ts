// A tab of a world: a client as in an app, recorded and watched, which may hang, be killed or disposed of.
import type { ClientCommand, clientMachine } from '../../src/machines/client.ts'
import { realtimeStatus } from '../../src/machines/realtime/realtime-status.ts'
import { clientStatus, type ClientStatus } from '../../src/machines/status.ts'
import type { Recorder } from '../../src/services/recording/unwritten-recorder.ts'
import { createTraceWatch } from '../../src/trace/invariants/invariants.ts'
import { createWorldClient, URL_BASE } from './world-client.ts'
import type { TabClock } from './world-clock.ts'
import type { WorldPage } from './world-page.ts'
import { WORLD_KEY } from './world-server.ts'
import type { World } from './world.ts'

export interface WorldTab {
  readonly name: string
  readonly recorder: Recorder<typeof clientMachine>
  readonly clock: TabClock
  readonly page: WorldPage
  /** When its recording began, on its own clock. */
  readonly startedAt: number
  /** Whether its code hangs. */
  readonly isHeld: boolean
  /** When it began to hang, on the world's clock; forever where it was killed. */
  readonly away: [from: number, to: number][]
  readonly isKilled: boolean
  /** Requests of the app that have not ended. */
  readonly openCalls: number
  status(): ClientStatus
  send(command: ClientCommand): void
  signIn(email: string): void
  signOut(scope: 'local' | 'global'): void
  /** A request of the app, as the signed-in user. */
  call(method: 'GET' | 'POST', signal?: AbortSignal): void
  /** Its code hangs until `release`. */
  hold(): void
  release(): void
  /** Ends it as an app does; anything left running is a violation. */
  dispose(): void
  /** Ends it as the task manager does. */
  kill(): void
  /** Checks what was recorded since the last time. */
  look(): void
}

/** Opens a tab, whose client starts at once. */
export function openTab(world: World, name: string): WorldTab {
  const parts = createWorldClient(world, name)
  const { clock, page, recorder, gated } = parts
  const look = createTraceWatch(
    recorder.trace,
    violation => world.violations.push({ tab: name, violation }),
    world.options,
  )
  const away: [number, number][] = []
  let [openCalls, attempts, isHeld, isKilled] = [0, 0, false, false]
  const status = () => clientStatus(recorder.actor.getSnapshot(), realtimeStatus)
  const leave = () => {
    parts.drop()
    world.tabs.splice(world.tabs.indexOf(tab), 1)
    world.gone.push(tab)
  }
  const tab: WorldTab = {
    name,
    recorder,
    clock,
    page,
    startedAt: clock.now(),
    away,
    get isHeld() {
      return isHeld
    },
    get isKilled() {
      return isKilled
    },
    get openCalls() {
      return openCalls
    },
    status,
    look,
    send: recorder.send,
    signIn(email) {
      const attempt = `${name} in ${++attempts}`
      parts.keep(attempt, email)
      recorder.send({ type: 'session.signIn', attempt, method: 'password' })
    },
    signOut(scope) {
      recorder.send({ type: 'session.signOut', attempt: `${name} out ${++attempts}`, scope })
    },
    call(method, signal) {
      const { session } = status()
      const as = session.phase === 'authenticated' ? `?as=${session.user.id}` : ''
      openCalls += 1
      const settled = () => void (openCalls -= 1)
      // As supabase-js makes its requests: with the API key, which ours replaces.
      const headers = { apikey: WORLD_KEY, authorization: `Bearer ${WORLD_KEY}` }
      gated
        .fetch(`${URL_BASE}/rest/v1/log${as}`, { method, headers, ...(signal && { signal }) })
        .then(settled, settled)
    },
    hold() {
      isHeld = true
      away.push([world.clock.now(), Infinity])
      clock.hold()
    },
    release() {
      const last = away.at(-1)
      if (isHeld && last) last[1] = world.clock.now()
      isHeld = false
      clock.release()
    },
    dispose() {
      parts.dispose()
      leave()
      look()
    },
    kill() {
      if (!isHeld) tab.hold()
      isKilled = true
      clock.drop()
      leave()
    },
  }
  recorder.start()
  return tab
}
