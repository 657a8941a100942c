// Keeps an engine open: one that failed is reopened before anyone else gets to use it.
import { StoppedError, UnavailableError } from '../unavailable.ts'
import type { Engine, Place } from './engine.ts'
import { EngineFailure } from './engine-guard.ts'
import { createMutex } from './mutex.ts'

/** What runs on an engine, and the engine. */
interface Opened {
  readonly engine: Engine
}

export interface Reopening<T extends Opened> {
  /**
   * Runs work while no other work uses the engine.
   * @throws EngineFailure when the work itself exceeded the stack, UnavailableError when the engine failed or is closed
   */
  use<R>(work: (opened: T) => Promise<R>): Promise<R>
  /** Why the engine is not open, while it is not. */
  readonly outage: string | undefined
  close(): Promise<void>
}

const RETRY_MS = 1_000
/** WASM memory never shrinks: beyond this much a reopened engine serves better. */
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
      // Once closed it holds none of its memory: a stopped backend that is kept weighs 180 MB less.
      current = undefined
      outage = undefined
      await closing?.engine.connection.close()
    },
  }
}

/** A statement that needs too much stack is refused for good; after other failures the same request may succeed. */
function refusal(failure: EngineFailure): Error {
  return failure.cause instanceof RangeError
    ? failure
    : new UnavailableError(failure.message, { cause: failure })
}
