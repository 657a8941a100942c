// A replay of a recording without views: made to its end, or to the first sign that it goes another way.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace } from '../../trace/format.ts'
import type { ComposeSystem } from '../system-parts.ts'
import { soundPart } from './comparison.ts'
import type { SoundPart } from './comparison.ts'
import { LeanCheck, LeanPlacing } from './lean-check.ts'
import type { LeanWrong } from './lean-check.ts'
import { ReplayRun } from './replay-run.ts'
import type { ReplayRunOptions } from './replay-run.ts'

/** A replay that was made. */
export interface LeanReplay {
  readonly run: ReplayRun
  readonly sound: SoundPart
  /** How many keyframes were compared and found equal. */
  readonly compared: number
  readonly wrong?: LeanWrong
  /** How many views there were before each keyframe of the recording that was reached, by number of its stimulus. */
  readonly views: ReadonlyMap<number, number>
}

/** Makes it stimulus by stimulus, and yields how many were repeated. */
export function* leanReplay(
  trace: ReplayableTrace,
  system: AnyActorLogic | ComposeSystem,
  options: Pick<ReplayRunOptions, 'inspect'> = {},
): Generator<number, LeanReplay> {
  const sound = soundPart(trace)
  const placing = new LeanPlacing(trace)
  const run = new ReplayRun(trace, system, { ...options, placing })
  const check = new LeanCheck(trace, run, placing, sound)
  const views = new Map<number, number>()
  const marks = new Set(trace.keyframes.map(({ at }) => at))
  run.start()
  let wrong = check.next()
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    if (marks.has(stimulus.seq)) views.set(stimulus.seq, run.trace.views.length)
    run.step(stimulus)
    wrong = check.next()
    yield stimulus.seq + 1
  }
  views.set(sound.stimuli.length, run.trace.views.length)
  return { run, sound, compared: check.compared, views, ...(wrong && { wrong }) }
}

/** Makes the rest of it at once. */
export function finish<T>(steps: Generator<number, T>, onProgress: (done: number) => void): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    onProgress(step.value)
  }
}
