// Reopens a failed engine before any other work uses it.
import { setImmediate as breathe } from 'node:timers/promises'
import { StoppedError, UnavailableError } from '../../shared/unavailable.ts'
import { type Access, EngineFailure } from '../engine.ts'
import { createMutex } from '../mutex.ts'
import type { PgliteEngine, Place } from './engine.ts'

/** An engine and the services that run on it. */
interface Opened {
  readonly engine: PgliteEngine
}

const RETRY_MS = 1_000
/** WASM memory never shrinks: above this size, the engine is reopened. */
const MOST_MEMORY_BYTES = 768 * 1024 * 1024

/** How long queued work may keep the thread. */
const TURN_MS = 5

/** PGlite has a single session, so that work runs one at a time. */
export function keepOpen<T extends Opened>(first: T, open: (place: Place) => Promise<T>): Access<T> {
  const mutex = createMutex()
  const giveWay = createPauses(TURN_MS)
  let current: T | undefined = first
  let outage: UnavailableError | undefined
  let retry: NodeJS.Timeout | undefined
  const reopen = async (place: Place, reason: string) => {
    current = undefined
    try {
      current = await open(place)
      outage = undefined
    } catch (cause) {
      outage = new UnavailableError(cause instanceof EngineFailure ? cause.message : reason, { cause })
      retry = setTimeout(() => void mutex.run(() => reopen(place, reason)).catch(() => undefined), RETRY_MS)
      retry.unref()
    }
  }
  const use: Access<T>['use'] = (work, login = 'owner') =>
    mutex.run(async () => {
      await giveWay()
      if (!current) throw outage ?? new StoppedError('The backend has stopped.')
      const { engine } = current
      try {
        const opened = current
        const run = () => work(opened)
        const result = await (login === 'owner' ? run() : engine.asAuthenticator(run))
        if (engine.failure) throw engine.failure
        return result
      } catch (error) {
        throw engine.failure ? refusal(engine.failure) : error
      } finally {
        if (engine.failure || engine.memoryBytes > MOST_MEMORY_BYTES)
          await reopen(engine.abandon(), engine.failure?.message ?? '')
      }
    })
  return {
    use,
    inTurn: use,
    get outage() {
      return outage?.message
    },
    async close() {
      clearTimeout(retry)
      await mutex.close()
      clearTimeout(retry)
      const closing = current
      // Frees the memory: a stopped backend that is still referenced takes 180 MB less.
      current = undefined
      outage = undefined
      await closing?.engine.driver.close()
    },
  }
}

/**
 * Pauses between pieces of work. PGlite computes on this thread and settles without the event loop: otherwise
 * a long queue would run in one go, while nothing is read and, at one connection for each round of the event
 * loop, new clients wait for as long as the load lasts.
 */
function createPauses(turnMs: number): () => Promise<void> {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < turnMs) return
    await breathe()
    start = performance.now()
  }
}

/** A statement that exceeds the stack is refused permanently; after other failures, a retry may succeed. */
function refusal(failure: EngineFailure): Error {
  return failure.cause instanceof RangeError
    ? failure
    : new UnavailableError(failure.message, { cause: failure })
}
