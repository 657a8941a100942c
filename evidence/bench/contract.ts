// The contract of a benchmark: our value and that of a named peer, measured in the same run.

import type { Side } from './profile.ts'

export interface Benchmark {
  readonly name: string
  readonly unit: string
  /** Describes what is measured for comparison. */
  readonly peer: string
  /** It takes too long to run with all others. */
  readonly onlyWhenNamed?: true
  /** Measures ours and the peer `samples` times, alternately; one that runs for long takes `minutes`. */
  measure(samples: number, minutes: number): Promise<Measured>
  /** Both sides under the profiler, the peer first. */
  profile?(): Promise<readonly Side[]>
}

/** One number per sample. */
export interface Measured {
  readonly ours: readonly number[]
  readonly peer: readonly number[]
}

/** `value` and `peerValue` are medians; `ratio` is ours divided by the peer's. */
export interface BenchResult {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly peer: string
  readonly peerValue: number
  readonly ratio: number
  readonly samples: number
}

/** Of benchmarks that run for long. */
export const MINUTES = 4

export async function runBenchmark(
  benchmark: Benchmark,
  samples: number,
  minutes = MINUTES,
): Promise<BenchResult> {
  const { name, unit, peer } = benchmark
  const measured = await benchmark.measure(samples, minutes)
  const taken = measured.ours.length
  const [value, peerValue] = [rounded(median(measured.ours)), rounded(median(measured.peer))]
  return { name, value, unit, peer, peerValue, ratio: rounded(value / peerValue), samples: taken }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const pair = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return pair.reduce<number>((sum, number) => sum + (number ?? NaN), 0) / 2
}

/** Three significant digits; more would be noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
