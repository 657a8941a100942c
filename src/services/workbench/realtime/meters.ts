// Throughput and latency of a topic over the last minute.

/** Window in seconds. */
export const WINDOW_S = 60

export interface Second {
  readonly in: number
  readonly out: number
}

export interface Latency {
  /** Milliseconds on the client's clock. */
  readonly at: number
  readonly ms: number
  /** `ack`: round trip. `change`: since the row was written, measured with two clocks. */
  readonly of: 'ack' | 'change'
}

/** Maximum number of points, to bound memory under a flood of changes. */
const MOST_LATENCIES = 600

const NOTHING: Second = { in: 0, out: 0 }

export class Meters {
  readonly #seconds = new Map<number, Second>()
  #latencies: Latency[] = []

  count(direction: 'in' | 'out', at: number): void {
    const second = Math.floor(at / 1000)
    const counts = this.#seconds.get(second)
    this.#seconds.set(second, { ...(counts ?? NOTHING), [direction]: (counts?.[direction] ?? 0) + 1 })
    if (counts) return
    for (const old of this.#seconds.keys()) if (old < second - 2 * WINDOW_S) this.#seconds.delete(old)
  }

  addLatency(latency: Latency): void {
    this.#latencies.push(latency)
    if (this.#latencies.length > 2 * MOST_LATENCIES) this.#latencies = this.#latencies.slice(-MOST_LATENCIES)
  }

  /** The seconds up to the current one, oldest first. */
  seconds(now: number): readonly Second[] {
    const last = Math.floor(now / 1000)
    return Array.from({ length: WINDOW_S }, (_, n) => this.#seconds.get(last - WINDOW_S + 1 + n) ?? NOTHING)
  }

  latencies(now: number): readonly Latency[] {
    return this.#latencies.filter(({ at }) => at > now - WINDOW_S * 1000)
  }
}

export interface Figures {
  /** Messages per second, over the last ten complete seconds. */
  readonly in: number
  readonly out: number
  readonly peak: number
  /** Of acknowledged messages; undefined without any. */
  readonly median: number | undefined
  readonly worst: number | undefined
}

/** The plotted data as numbers. */
export function figuresOf(meters: Meters, now: number): Figures {
  const seconds = meters.seconds(now)
  const lately = seconds.slice(-11, -1)
  const mean = (of: 'in' | 'out') => lately.reduce((sum, second) => sum + second[of], 0) / lately.length
  const acks = meters
    .latencies(now)
    .filter(({ of }) => of === 'ack')
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return {
    in: mean('in'),
    out: mean('out'),
    peak: Math.max(...seconds.map(second => second.in + second.out)),
    median: acks[Math.floor(acks.length / 2)],
    worst: acks.at(-1),
  }
}
