// Deadlines on one clock, the earliest first; those that are called off take no room for long.

/** A deadline that was set. */
export interface Timer {
  readonly at: number
  isOff: boolean
  readonly ring: () => void
}

/** A clock that is told the time; each method is O(log n) of the deadlines that stand. */
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
    // A list in order is a heap.
    this.#heap = standing.sort((a, b) => a.at - b.at)
    this.#off = 0
  }

  /** How many deadlines are kept, standing or called off. */
  get size(): number {
    return this.#heap.length
  }

  /** Rings whatever is overdue. */
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
