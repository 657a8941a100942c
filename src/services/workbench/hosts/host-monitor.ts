// Monitors a backend: a `fetch` that reports whether calls get responses, and limits response sizes.
import { Listeners } from '../../../trace/index.ts'
import { boundedFetch, carriedFetch, retryAfterOf } from '../../client/index.ts'
import type { ClientControl } from '../../runtime/index.ts'

/** What a call reports about its backend, as events of the health machine without their time. */
export type HostCall =
  | { readonly type: 'backend.called' }
  /** `retryAfter`: seconds. */
  | { readonly type: 'backend.answered'; readonly status: number; readonly retryAfter?: number }
  /** No response, for another reason than an abort by the caller. Browsers report a block by CORS like this. */
  | { readonly type: 'backend.silent' }

export interface HostMonitor {
  readonly fetch: typeof globalThis.fetch
  /** Reports the calls from now on. */
  readonly onCall: (listener: (call: HostCall) => void) => () => void
}

interface LinePorts {
  readonly fetch: typeof globalThis.fetch
}

const OWN_PORTS: LinePorts = {
  fetch: carriedFetch(boundedFetch((input, init) => globalThis.fetch(input, init))),
}

/** A caller's abort does not count; a timeout means that the backend did not respond. */
const isSilence = (signal: AbortSignal | null | undefined): boolean =>
  signal?.aborted !== true || (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')

/** Creates a monitor. */
export function createHostMonitor({ fetch }: LinePorts = OWN_PORTS): HostMonitor {
  const listeners = new Listeners<[HostCall]>()
  const report = listeners.notify
  return {
    fetch: async (input, init) => {
      report({ type: 'backend.called' })
      try {
        const response = await fetch(input, init)
        const { status, ok } = response
        const seconds = ok ? undefined : retryAfterOf(response)
        report({ type: 'backend.answered', status, ...(seconds !== undefined && { retryAfter: seconds }) })
        return response
      } catch (error) {
        const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
        if (isSilence(signal)) report({ type: 'backend.silent' })
        throw error
      }
    },
    onCall: listeners.subscribe,
  }
}

/**
 * Creates a monitor above the client's control, so that injected faults affect it like real ones. Pass the
 * returned control to the client instead of the original.
 */
export function createControlledMonitor(
  control: ClientControl,
  ports: LinePorts = OWN_PORTS,
): readonly [HostMonitor, ClientControl] {
  let { fetch } = ports
  const monitor = createHostMonitor({ fetch: (...call) => fetch(...call) })
  const controlled: ClientControl = {
    world: world => {
      const platform = control.world({ ...world, fetch })
      fetch = platform.fetch
      return { ...platform, fetch: monitor.fetch }
    },
    attach: steered => control.attach(steered),
  }
  return [monitor, controlled]
}
