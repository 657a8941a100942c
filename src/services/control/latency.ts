// Simulates latency: a delayed item delays the items behind it, as on a real network.
export class Latency {
  readonly #until = new WeakMap<object, number>()

  /** Runs a callback later; callbacks of one lane keep their order. */
  later(lane: object, delay: number, run: () => void): void {
    const now = performance.now()
    const at = Math.max(now + delay, this.#until.get(lane) ?? 0)
    this.#until.set(lane, at)
    setTimeout(run, at - now)
  }

  /** Resolves after the delay, or when the signal aborts. */
  pause(delay: number, signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, delay)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
