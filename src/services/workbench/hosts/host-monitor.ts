// Monitors a backend: a `fetch` that tracks whether the backend responds, and limits response sizes.
import { Listeners } from '../../../trace/index.ts'
import { boundedFetch, carriedFetch, retryAfterOf } from '../../client/index.ts'
import type { ClientControl } from '../../runtime/index.ts'

export interface HostMonitor {
  readonly fetch: typeof globalThis.fetch
  /**
   * Whether a request failed without a response, or has waited for one for long, and none has succeeded
   * since. The request itself may be the cause: browsers report a response blocked by CORS the same way, and
   * some responses are slow.
   */
  readonly isDoubtful: () => boolean
  /** Whether there was a response in the last `within` milliseconds. */
  readonly hasAnswered: (within: number) => boolean
  /** Current position in the responses, for `waitSince`. */
  readonly mark: () => number
  /**
   * Seconds to wait from the last auth response with this status after a mark; supabase-js errors do not
   * contain headers.
   */
  readonly waitSince: (mark: number, status: number) => number | undefined
  /** @param listener called when the result of `isDoubtful` changes */
  readonly subscribe: (listener: () => void) => () => void
}

interface LinePorts {
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds. */
  readonly now: () => number
  /** Runs a callback after a delay in ms. Returns a function that cancels it. */
  readonly later: (run: () => void, ms: number) => () => void
}

const OWN: LinePorts = {
  fetch: carriedFetch(boundedFetch((input, init) => globalThis.fetch(input, init))),
  now: () => performance.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * The time limit of a diagnostics run: requests that exceed it make the backend doubtful before they fail.
 */
const LONG_MS = 8_000

/** A caller's abort does not count; a timeout means that the backend did not respond. */
const isSilence = (signal: AbortSignal | null | undefined): boolean =>
  signal?.aborted !== true || (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')

const isAuth = (input: Parameters<typeof globalThis.fetch>[0]): boolean =>
  (input instanceof Request ? input.url : String(input)).includes('/auth/v1/')

/** Creates a monitor for a backend of unknown state. */
export function createHostMonitor({ fetch, now, later }: LinePorts = OWN): HostMonitor {
  const listeners = new Listeners()
  let isDoubtful = false
  let answeredAt = -Infinity
  let answers = 0
  let wait = { at: 0, status: 0, seconds: 0 }
  const set = (next: boolean) => {
    if (isDoubtful === next) return
    isDoubtful = next
    listeners.notify()
  }
  return {
    fetch: async (input, init) => {
      const settle = later(() => set(true), LONG_MS)
      try {
        const response = await fetch(input, init)
        answeredAt = now()
        answers += 1
        const seconds = isAuth(input) && !response.ok ? retryAfterOf(response) : undefined
        if (seconds !== undefined) wait = { at: answers, status: response.status, seconds }
        set(false)
        return response
      } catch (error) {
        const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
        if (isSilence(signal)) set(true)
        throw error
      } finally {
        settle()
      }
    },
    isDoubtful: () => isDoubtful,
    hasAnswered: within => now() - answeredAt < within,
    mark: () => answers,
    waitSince: (mark, status) => (wait.at > mark && wait.status === status ? wait.seconds : undefined),
    subscribe: listeners.subscribe,
  }
}

/**
 * Creates a monitor above the client's control, so that injected faults affect it like real ones. Pass the
 * returned control to the client instead of the original.
 */
export function createControlledMonitor(
  control: ClientControl,
  ports: LinePorts = OWN,
): readonly [HostMonitor, ClientControl] {
  let { fetch } = ports
  const monitor = createHostMonitor({ ...ports, fetch: (...call) => fetch(...call) })
  const controlled: ClientControl = {
    world: world => {
      const made = control.world({ ...world, fetch })
      fetch = made.fetch
      return { ...made, fetch: monitor.fetch }
    },
    attach: steered => control.attach(steered),
  }
  return [monitor, controlled]
}

const monitors = new WeakMap<object, HostMonitor>()

/** A monitor lives as long as its client. */
export const keepHostMonitor = (client: object, monitor: HostMonitor): void =>
  void monitors.set(client, monitor)

/** Undefined for clients that the app did not create, such as in tests. */
export const hostMonitorOf = (client: object): HostMonitor | undefined => monitors.get(client)
