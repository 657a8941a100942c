// A mutual exclusion: one piece of asynchronous work at a time, in the order asked for.
import { StoppedError } from '../unavailable.ts'

/** Runs work one after another; after `close` new work is refused. */
export interface Mutex {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Refuses new work and resolves once all accepted work has settled. */
  close(): Promise<void>
}

export function createMutex(): Mutex {
  let tail: Promise<unknown> = Promise.resolve()
  let closed = false
  return {
    run(work) {
      if (closed) return Promise.reject(new StoppedError('The backend is stopping.'))
      const result = tail.then(work)
      tail = result.catch(() => undefined)
      return result
    },
    async close() {
      closed = true
      await tail
    },
  }
}
