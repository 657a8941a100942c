// Traces described in a few lines, for assertion tests.
import type { CheckedTrace } from '../../src/trace/assert/check.ts'
import type { ActorEntry, StateValue, StepRecord, Stimulus } from '../../src/trace/format/records.ts'

/** The relevant parts of a step; each is caused by its own stimulus unless `same`. */
export interface StoryStep {
  /** Path; the last segment names the actor's logic: `app/lamp#2` is a `lamp`. */
  readonly actor?: string
  readonly event?: string | { readonly type: string; readonly [key: string]: unknown }
  readonly state?: StateValue
  readonly context?: unknown
  readonly status?: StepRecord['status']
  readonly output?: unknown
  readonly error?: unknown
  readonly t?: number
  readonly changed?: boolean
  readonly via?: readonly string[]
  readonly from?: string
  /** Caused by the stimulus of the step before, and at the same time. */
  readonly same?: boolean
  /** `seq` of the step that it comes from. */
  readonly by?: number
}

/** A trace of these steps; time advances by 10 ms per step by default. */
export function story(
  ...steps: readonly StoryStep[]
): CheckedTrace & { readonly steps: readonly StepRecord[] } {
  const actors: ActorEntry[] = []
  const indexOf = (path: string): number => {
    const known = actors.findIndex(entry => entry.path === path)
    if (known >= 0) return known
    const up = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const parent = up === '' ? undefined : indexOf(up)
    const index = actors.length
    const src = path.slice(up === '' ? 0 : up.length + 1).replace(/#\d+$/, '')
    actors.push({ line: 'actor', index, path, kind: 'machine', src, ...(parent !== undefined && { parent }) })
    return index
  }
  const stimuli: Stimulus[] = []
  let now = -10
  const records = steps.map((step, seq): StepRecord => {
    const { actor = 'app', event = 'go', state, status = 'active', changed = true, from, same, t } = step
    now = t ?? (same ? now : now + 10)
    const index = indexOf(actor)
    if (!same) stimuli.push({ line: 'stimulus', seq: stimuli.length, t: now, kind: 'external', to: index })
    const { context, output, error, via, by } = step
    return {
      line: 'step',
      seq,
      t: now,
      actor: index,
      event: typeof event === 'string' ? { type: event } : event,
      cause: stimuli.length - 1,
      status,
      changed,
      ...(state !== undefined && { value: state }),
      ...(context !== undefined && { context }),
      ...(output !== undefined && { output }),
      ...(error !== undefined && { error }),
      ...(via && { via }),
      ...(from !== undefined && { from: indexOf(from) }),
      ...(by !== undefined && { by }),
    }
  })
  return { actors, stimuli, steps: records }
}

/** A trace in which one actor takes an event for each letter. */
export const letters = (text: string) => story(...Array.from(text, event => ({ event })))
