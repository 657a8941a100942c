// Every benchmark there is, by name.
import { bootCold, bootWarm } from './boot/index.ts'
import type { Benchmark } from './contract.ts'
import { realtimeOverhead, requestOverhead } from './overhead/index.ts'

export const benchmarks: readonly Benchmark[] = [bootCold, bootWarm, requestOverhead, realtimeOverhead]
