// The status of a client at a past moment of its recording, for everything that shows the status.
import { type StepRecord, batchOf, Listeners, type TraceSource } from '../../../trace/index.ts'
import { type ChartroomClient, type ClientStatus, recordedStatus } from '../../../services/client/index.ts'
import {
  backendHealthOf,
  type BackendTrouble,
  keepBackendHealth,
  recordedTrouble,
} from '../../../services/workbench/hosts/index.ts'
import type { ConsoleMoment } from '../../console/index.ts'

export interface PastState {
  readonly moment: ConsoleMoment
  /** Time of the moment on the client's clock. */
  readonly now: number
  /** Undefined if the recording does not have it. */
  readonly status: ClientStatus | undefined
  readonly trouble: BackendTrouble | undefined
  /** Whether the status of the moment is shown; the user may look at the present one instead. */
  readonly isShown: boolean
}

export interface Past {
  /** Has the status, the time and the backend's health of the moment; everything else is the live client's. */
  readonly client: ChartroomClient
  /** Undefined at no past moment. */
  readonly state: () => PastState | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly show: (moment: ConsoleMoment | undefined) => void
  /** Shows the present status until the console shows another moment. */
  readonly leave: () => void
}

const never = () => () => undefined

export function createPast(live: ChartroomClient): Past {
  const listeners = new Listeners()
  const clock = createTraceClock(live)
  let state: PastState | undefined
  const status = () => state?.status ?? live.status()
  const own = {
    status,
    onStatus: (listener: (status: ClientStatus) => void) => listeners.subscribe(() => listener(status())),
    now: () => state?.now ?? live.now(),
  }
  const client = new Proxy(live, {
    get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown,
  })
  const health = backendHealthOf(live)
  if (health)
    keepBackendHealth(client, {
      ...health,
      trouble: () => state?.trouble,
      subscribe: listeners.subscribe,
      onRecovered: never,
    })
  const set = (next: PastState | undefined) => {
    state = next
    listeners.notify()
  }
  return {
    client,
    state: () => state,
    subscribe: listeners.subscribe,
    show: moment => {
      if (!moment) return set(undefined)
      const now = clock(moment.t)
      const then = recordedStatus(moment.latest)
      const trouble = then && health && recordedTrouble(health.recording.trace, then, now)
      set({ moment, now, status: then, trouble, isShown: then !== undefined })
    },
    leave: () => state?.isShown && set({ ...state, isShown: false }),
  }
}

const isTick = ({ event }: StepRecord) => event.type === 'clock.tick' && typeof event['at'] === 'number'

/** Converts a recording's times to the client's clock, by the first tick, which the client gets at its start. */
function createTraceClock({ recording, now }: ChartroomClient): (t: number) => number {
  let known: { readonly header: TraceSource['header']; readonly offset: number } | undefined
  return t => {
    if (!recording) return now()
    const { trace } = recording
    if (known?.header !== trace.header) {
      const tick = batchOf(trace, 0).steps.find(isTick)
      const offset = tick
        ? Number(tick.event['at']) - tick.t
        : Date.parse(trace.header.startedAt) - performance.timeOrigin
      known = { header: trace.header, offset }
    }
    return t + known.offset
  }
}
