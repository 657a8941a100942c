// All benchmarks, by name.
import { initialJs, signInJs } from './app/initial.ts'
import { bootCold, bootWarm } from './boot/index.ts'
import { consoleClosed } from './console/closed.ts'
import { consoleInserts } from './console/inserts.ts'
import { consoleActors, consoleChart, consoleContexts } from './console/large.ts'
import { consoleLive, consoleLiveHeap, consoleLiveRedux } from './console/live.ts'
import { consoleOpen, consoleScrub } from './console/million.ts'
import { consoleSoak } from './console/soak.ts'
import type { Benchmark } from './contract.ts'
import { restThroughput } from './engines/index.ts'
import { gridMillion } from './grid/index.ts'
import { realtimeOverhead, requestOverhead } from './overhead/index.ts'
import {
  recordMachine,
  recordMachineInspect,
  recordMachineSteps,
  recordSystem,
  recordSystemInspect,
  recordSystemSteps,
  replayRate,
  replayRateMachine,
} from './recording/index.ts'
import { replayCores, replayMemory, replayWorkers } from './replay/index.ts'
import { reportMinute, reportSize, reportsList } from './reports/index.ts'
import { bytesPerRecord, bytesPerRecordRedux, openMillion, seekMillion } from './traces/index.ts'

export const benchmarks: readonly Benchmark[] = [
  bootCold,
  bootWarm,
  requestOverhead,
  realtimeOverhead,
  restThroughput,
  openMillion,
  seekMillion,
  bytesPerRecord,
  bytesPerRecordRedux,
  recordMachine,
  recordMachineInspect,
  recordMachineSteps,
  recordSystem,
  recordSystemInspect,
  recordSystemSteps,
  replayRate,
  replayRateMachine,
  replayWorkers,
  replayCores,
  replayMemory,
  consoleOpen,
  consoleScrub,
  consoleLive,
  consoleLiveRedux,
  consoleLiveHeap,
  consoleClosed,
  consoleActors,
  consoleContexts,
  consoleChart,
  consoleInserts,
  consoleSoak,
  gridMillion,
  reportsList,
  reportMinute,
  reportSize,
  initialJs,
  signInJs,
]
