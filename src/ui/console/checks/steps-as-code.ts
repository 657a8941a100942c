// Converts a run to test code: events sent, effect results, and time in between.
import { jsComment, type ReplayableTrace, repliesByTest, Unsayable } from '../../../trace/index.ts'

type StepsTrace = Pick<ReplayableTrace, 'actors' | 'stimuli'>

/** Code for a stage of `@chartroom/devtools/vitest`; steps that code cannot express become comments. */
export function stepsAsCode(trace: StepsTrace, seqs: readonly number[]): string {
  const wanted = new Set(seqs)
  let now: number | undefined
  const lines = trace.stimuli.flatMap(stimulus => {
    if (stimulus.anchor || !wanted.has(stimulus.seq)) return []
    const t = stimulus.kind === 'timer' ? Math.ceil(stimulus.t) : Math.floor(stimulus.t)
    const ms = Math.max(0, t - (now ?? t))
    now = Math.max(now ?? t, t)
    const passes = ms > 0 ? [`stage.advance(${ms})`] : []
    if (stimulus.kind === 'timer') return passes.length > 0 ? passes : ['stage.advance(0)']
    return [...passes, describeStimulus(trace, stimulus)]
  })
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function describeStimulus(trace: StepsTrace, stimulus: StepsTrace['stimuli'][number]): string {
  try {
    return repliesByTest(trace, stimulus)
  } catch (error) {
    if (error instanceof Unsayable)
      return jsComment(`#${stimulus.seq} cannot be written as code: ${error.message}`)
    throw error
  }
}
