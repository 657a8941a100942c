// Verifying a recording without views: what its keyframes, tape and anchors say is held against a replay.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace } from '../../trace/format.ts'
import type { ComposeSystem } from '../system-parts.ts'
import { compareMachines } from './find-system.ts'
import type { MachineDifference } from './find-system.ts'
import type { Divergence } from './divergence.ts'
import { finish, leanReplay } from './lean-replay.ts'

/** What came of it. */
export interface LeanReport {
  readonly machines: readonly MachineDifference[]
  /** How many keyframes were compared and found equal. */
  readonly keyframes: number
  /** Why not all of it could be replayed. */
  readonly reason?: string
  readonly divergence?: Divergence
  /** The charts of the machines here. */
  readonly here: ReplayableTrace
  /** Up to which stimulus to look for what else is to blame. */
  readonly upTo: number
}

/** Replays the trace. What is thrown is thrown by the replay. */
export function verifyLean(
  trace: ReplayableTrace,
  system: AnyActorLogic | ComposeSystem,
  onProgress: (done: number) => void = () => undefined,
): LeanReport {
  const { run, sound, compared, wrong } = finish(leanReplay(trace, system), onProgress)
  return {
    machines: compareMachines(trace, run.trace),
    keyframes: compared,
    here: run.trace,
    upTo: wrong?.between[1] ?? trace.stimuli.length,
    ...(sound.reason !== undefined && { reason: sound.reason }),
    ...(wrong && { divergence: { index: run.trace.views.length, chain: [], ...wrong } }),
  }
}
