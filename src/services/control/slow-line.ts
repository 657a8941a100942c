// A slow line: what comes late holds up what is behind it, as on a real one.
export class SlowLine {
  readonly #until = new WeakMap<object, number>()

  /** Runs this later; of one lane in their order. */
  later(lane: object, delay: number, run: () => void): void {
    const now = performance.now()
    const at = Math.max(now + delay, this.#until.get(lane) ?? 0)
    this.#until.set(lane, at)
    setTimeout(run, at - now)
  }

  /** Resolves when the time is over, or when the signal ends it. */
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
