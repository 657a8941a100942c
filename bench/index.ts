// Every benchmark there is, by name.
import { bootCold, bootWarm } from './boot/index.ts'
import type { Benchmark } from './contract.ts'

export const benchmarks: readonly Benchmark[] = [bootCold, bootWarm]
