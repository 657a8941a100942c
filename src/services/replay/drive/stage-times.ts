// Computes when each stimulus of a trace must be sent on a stage, where timers fire exactly when they are
// due.
import type { ReplayableTrace, Stimulus } from '../../../trace/index.ts'
import type { SystemRegistry } from '../../runtime/index.ts'
import { findSystem, ReplayRun } from '../run/replay-run.ts'
import type { SetTimer } from '../run/record-resolver.ts'

/** Times at which a stage delivers the stimuli of a trace. */
export interface StageTimes {
  /** Whole milliseconds by stimulus number. */
  readonly times: ReadonlyMap<number, number>
  /** Why the stage diverges from some stimulus on. */
  readonly problem?: string
}

const dueOf = ({ setAt, delay }: SetTimer) => setAt + delay

/**
 * Returns the time of each stimulus on a stage. Real timers fire late, and stimuli that arrived in the meantime preceded them. On a stage, such stimuli
 * must come before the timers are due, so time stops just before timers that were overtaken.
 */
export function stageTimes(trace: ReplayableTrace, systems: SystemRegistry): StageTimes {
  const found = findSystem(trace, systems)
  if ('reason' in found) return { times: new Map(), problem: found.reason }
  const run = new ReplayRun(trace, found.system)
  const times = new Map<number, number>()
  let now = 0
  /** Time at which timers have just fired: timers due up to then fire with them. */
  let fired = -1
  run.start()
  for (const stimulus of trace.stimuli) {
    if (stimulus.anchor) continue
    const [next] = run.timers.all().toSorted((a, b) => dueOf(a) - dueOf(b))
    const isTimer = stimulus.kind === 'timer'
    if (isTimer ? next?.ordinal !== stimulus.ordinal : isDue(next, fired))
      return { times, problem: overtaken(stimulus, next) }
    const t = Math.max(now, isTimer && next ? dueOf(next) : before(next, stimulus.t))
    now = Math.ceil(t)
    fired = isTimer ? now : -1
    times.set(stimulus.seq, now)
    run.step({ ...stimulus, t })
    if (run.problems[0] !== undefined) return { times, problem: run.problems[0] }
  }
  return { times }
}

const isDue = (timer: SetTimer | undefined, until: number) => timer !== undefined && dueOf(timer) <= until

/** Returns the last whole millisecond up to `t` at which the timer has not fired. */
function before(timer: SetTimer | undefined, t: number): number {
  const latest = Math.floor(t)
  return timer && dueOf(timer) <= latest ? Math.ceil(dueOf(timer)) - 1 : latest
}

function overtaken({ seq, kind }: Stimulus, next: SetTimer | undefined): string {
  const what = kind === 'timer' ? `timer #${seq} fired` : `#${seq} came`
  return next
    ? `${what} before ${next.source.path} took ${next.event.type}, which was due earlier`
    : `timer #${seq} is not active`
}
