// Which meaning a state has for a reader, so that it can be shown by tone and shape.
import type { ChartState, MachineChart, ViewRecord } from '../../trace/format.ts'
import type { Tone } from '../widgets/pill.tsx'
import { leafPaths } from '../../trace/timeline/state-value.ts'

const TAGS: Readonly<Record<string, Tone>> = {
  ok: 'ok',
  pending: 'pending',
  busy: 'pending',
  failed: 'fail',
  error: 'fail',
  stale: 'stale',
}

const WORDS: readonly (readonly [RegExp, Tone])[] = [
  [/fail|error|denied|refused|reject|expired|broken/i, 'fail'],
  [/stale|offline|suspended|gap|paused|halfOpen/i, 'stale'],
  [/^(running|waiting|watching|deciding|checking|following|follower|alone)$/i, 'neutral'],
  [/backoff|wait|pending|retry|delayed|rateLimited|[a-z]{2}ing$/i, 'pending'],
  [/^(open|joined|live|fresh|authenticated|ready|done|settled|leader|aal\d)$/i, 'ok'],
]

const WEIGHT: readonly Tone[] = ['fail', 'pending', 'stale', 'ok', 'neutral']

/** What a view means, and the active state that gives it that meaning. */
export interface Meaning {
  readonly tone: Tone
  /** Path of the gravest active state; absent when the status alone decides. */
  readonly path?: string
}

/** The meaning of a view: its status first, then the gravest of its active states. */
export function meaningOf(
  view: { readonly status: ViewRecord['status']; readonly value?: ViewRecord['value'] | undefined },
  chart?: MachineChart,
): Meaning {
  if (view.status === 'error') return { tone: 'fail' }
  if (view.status !== 'active') return { tone: 'neutral' }
  const all = leafPaths(view.value).map(path => ({ tone: stateTone(path, chart), path }))
  return all.toSorted((a, b) => WEIGHT.indexOf(a.tone) - WEIGHT.indexOf(b.tone))[0] ?? { tone: 'neutral' }
}

/** The tone of a state by its tags, else by its name. */
export function stateTone(path: string, chart: MachineChart | undefined): Tone {
  const state = chart ? stateAt(chart.root, path) : undefined
  const tagged = state?.tags.map(tag => TAGS[tag]).find(tone => tone !== undefined)
  if (tagged) return tagged
  const words = path.split('.').reverse()
  for (const word of words) {
    const match = WORDS.find(([pattern]) => pattern.test(word))
    if (match) return match[1]
  }
  return 'neutral'
}

/** The state at a path, looked up from the machine's root. */
function stateAt(root: ChartState, path: string): ChartState | undefined {
  if (path === root.path) return root
  const next = root.states.find(state => path === state.path || path.startsWith(`${state.path}.`))
  return next ? stateAt(next, path) : undefined
}
