// Runs asynchronous work one at a time, or a few at a time, in request order.
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

/** Places for work that runs at the same time. */
export interface Slots {
  /** Resolves once a place is free. */
  take(): Promise<void>
  give(): void
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count
  return {
    async take() {
      if (free === 0) return new Promise(resolve => waiting.push(resolve))
      free -= 1
    },
    give() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}
