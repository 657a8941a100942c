// A mutex: runs asynchronous work one at a time, in request order.
import { StoppedError } from '../shared/unavailable.ts'

/** Runs work sequentially; after `close`, new work is rejected. */
export interface Mutex {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Rejects new work and resolves once all accepted work has settled. */
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
