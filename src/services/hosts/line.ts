// The line to a host: a `fetch` that notices what comes back, and takes no more than a page can hold.
import { retryAfterOf } from '../auth/auth-answer.ts'
import type { ClientControl } from '../control/seat.ts'
import { boundedFetch } from '../requests/bounded-fetch.ts'
import { carriedFetch } from '../requests/carried-fetch.ts'

export interface Line {
  readonly fetch: typeof globalThis.fetch
  /**
   * A request came back without an answer, or has had none for long, and none has been answered since. That may be the
   * request's own doing: a browser tells an answer that it keeps from the page just like that, and some take their time.
   */
  readonly isDoubtful: () => boolean
  /** Whether something was answered in the last so many milliseconds. */
  readonly hasAnswered: (within: number) => boolean
  /** Where the answers are now, for `waitSince`. */
  readonly mark: () => number
  /**
   * Seconds that an auth answer of this status asked to wait, the last one since a mark: the official errors do not
   * have what a header says.
   */
  readonly waitSince: (mark: number, status: number) => number | undefined
  /** @param listener hears when the doubt comes and goes. */
  readonly subscribe: (listener: () => void) => () => void
}

interface LinePorts {
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds. */
  readonly now: () => number
  /** Runs this after so many milliseconds, but for when what it gives is called before. */
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

/** As long as a look at a host may take: what has no answer by then is looked into, and not only when it is given up. */
const LONG_MS = 8_000

/** Whoever broke it off knows; a deadline that passed is the host's silence. */
const isSilence = (signal: AbortSignal | null | undefined): boolean =>
  signal?.aborted !== true || (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')

const isAuth = (input: Parameters<typeof globalThis.fetch>[0]): boolean =>
  (input instanceof Request ? input.url : String(input)).includes('/auth/v1/')

/** A line of which nothing is known yet. */
export function createLine({ fetch, now, later }: LinePorts = OWN): Line {
  const listeners = new Set<() => void>()
  let isDoubtful = false
  let answeredAt = -Infinity
  let answers = 0
  let wait = { at: 0, status: 0, seconds: 0 }
  const set = (next: boolean) => {
    if (isDoubtful === next) return
    isDoubtful = next
    for (const listener of listeners) listener()
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
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * A line with the control of its client below it: what is made to go wrong on command is met by the line, too, and looks
 * to whoever asks it like the real thing. The second is for the client, in the place of the control.
 */
export function createSeatedLine(
  control: ClientControl,
  ports: LinePorts = OWN,
): readonly [Line, ClientControl] {
  let { fetch } = ports
  const line = createLine({ ...ports, fetch: (...call) => fetch(...call) })
  const seated: ClientControl = {
    world: world => {
      const made = control.world({ ...world, fetch })
      fetch = made.fetch
      return { ...made, fetch: line.fetch }
    },
    attach: steered => control.attach(steered),
  }
  return [line, seated]
}
