// Deadlines on one clock, the earliest first; canceled ones do not occupy memory for long.

/** A pending deadline. */
export interface Timer {
  readonly at: number
  isOff: boolean
  readonly ring: () => void
}

/** A simulated clock; each method is O(log n) of the pending deadlines. */
export class Timers {
  #heap: Timer[] = []
  #off = 0

  set(at: number, ring: () => void): Timer {
    const timer: Timer = { at, isOff: false, ring }
    this.#heap.push(timer)
    this.#rise(this.#heap.length - 1)
    return timer
  }

  off(timer: Timer | undefined): void {
    if (!timer || timer.isOff) return
    timer.isOff = true
    this.#off += 1
    if (this.#off < 32 || this.#off * 2 < this.#heap.length) return
    const standing = this.#heap.filter(({ isOff }) => !isOff)
    // A sorted list is a valid heap.
    this.#heap = standing.sort((a, b) => a.at - b.at)
    this.#off = 0
  }

  /** Number of deadlines in memory, pending or canceled. */
  get size(): number {
    return this.#heap.length
  }

  /** Fires all overdue deadlines. */
  advance(now: number): void {
    for (let first = this.#heap[0]; first && first.at < now; first = this.#heap[0]) {
      this.#pop()
      if (first.isOff) this.#off -= 1
      else {
        first.isOff = true
        first.ring()
      }
    }
  }

  #pop(): void {
    const last = this.#heap.pop()
    if (!last || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink()
  }

  #rise(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      if ((heap[up] as Timer).at <= (heap[at] as Timer).at) return
      this.#swap(at, up)
      at = up
    }
  }

  #sink(): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let least = at
      for (const under of [2 * at + 1, 2 * at + 2]) {
        if (under < heap.length && (heap[under] as Timer).at < (heap[least] as Timer).at) least = under
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const kept = heap[a] as Timer
    heap[a] = heap[b] as Timer
    heap[b] = kept
  }
}
