// Work that is done again and again, or once for many requests. What decides or may fail is a machine instead.

/** Calls `run` every `ms`, until the returned function is called. */
export function repeat(run: () => void, ms: number): () => void {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

export interface Throttle {
  /** Runs it once for all requests within the time. */
  readonly ask: () => void
  /** Runs it at once, and not again for earlier requests. */
  readonly now: () => void
  /** Forgets requests. */
  readonly cancel: () => void
}

/** @param ms returns how long a request waits */
export function throttle(run: () => void, ms: () => number): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const now = () => {
    cancel()
    run()
  }
  return {
    ask() {
      timer ??= setTimeout(now, ms())
    },
    now,
    cancel,
  }
}
