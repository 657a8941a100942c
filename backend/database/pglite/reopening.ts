// Reopens a failed engine before any other work uses it.
import { StoppedError, UnavailableError } from '../../shared/unavailable.ts'
import { EngineFailure } from '../engine.ts'
import { createMutex } from '../mutex.ts'
import type { PgliteEngine, Place } from './engine.ts'

/** An engine and the services that run on it. */
interface Opened {
  readonly engine: PgliteEngine
}

export interface Reopening<T extends Opened> {
  /**
   * Runs work while no other work uses the engine.
   * @throws EngineFailure if the work itself exceeded the stack, UnavailableError if the engine failed or is
   * closed
   */
  use<R>(work: (opened: T) => Promise<R>): Promise<R>
  /** Why the engine is not open, if it is not. */
  readonly outage: string | undefined
  close(): Promise<void>
}

const RETRY_MS = 1_000
/** WASM memory never shrinks: above this size, the engine is reopened. */
const MOST_MEMORY_BYTES = 768 * 1024 * 1024

export function keepOpen<T extends Opened>(first: T, open: (place: Place) => Promise<T>): Reopening<T> {
  const mutex = createMutex()
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
  return {
    use: work =>
      mutex.run(async () => {
        if (!current) throw outage ?? new StoppedError('The backend has stopped.')
        const { engine } = current
        try {
          const result = await work(current)
          if (engine.failure) throw engine.failure
          return result
        } catch (error) {
          throw engine.failure ? refusal(engine.failure) : error
        } finally {
          if (engine.failure || engine.memoryBytes > MOST_MEMORY_BYTES)
            await reopen(engine.abandon(), engine.failure?.message ?? '')
        }
      }),
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
      await closing?.engine.connection.close()
    },
  }
}

/** A statement that exceeds the stack is refused permanently; after other failures, a retry may succeed. */
function refusal(failure: EngineFailure): Error {
  return failure.cause instanceof RangeError
    ? failure
    : new UnavailableError(failure.message, { cause: failure })
}
