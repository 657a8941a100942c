// A run as lines of a test: what is sent, what effects answer, and how much time passes between.
import type { ReplayableTrace } from '../../../trace/format.ts'
import { Unsayable } from '../../../trace/exports/literal.ts'
import { saidByTest } from '../../../trace/exports/vitest-said.ts'

type Told = Pick<ReplayableTrace, 'actors' | 'stimuli'>

/** For a stage of `chartroom/vitest`; what no code can say stands there as a comment. */
export function stepsAsCode(trace: Told, seqs: readonly number[]): string {
  const wanted = new Set(seqs)
  let now: number | undefined
  const lines = trace.stimuli.flatMap(stimulus => {
    if (stimulus.anchor || !wanted.has(stimulus.seq)) return []
    const t = stimulus.kind === 'timer' ? Math.ceil(stimulus.t) : Math.floor(stimulus.t)
    const ms = Math.max(0, t - (now ?? t))
    now = Math.max(now ?? t, t)
    const passes = ms > 0 ? [`stage.advance(${ms})`] : []
    if (stimulus.kind === 'timer') return passes.length > 0 ? passes : ['stage.advance(0)']
    return [...passes, said(trace, stimulus)]
  })
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function said(trace: Told, stimulus: Told['stimuli'][number]): string {
  try {
    return saidByTest(trace, stimulus)
  } catch (error) {
    if (error instanceof Unsayable) return `// #${stimulus.seq} can't be said in code: ${error.message}`
    throw error
  }
}
