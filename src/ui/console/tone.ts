// The tone of a state, shown by color and shape.
import {
  type ChartState,
  leafPaths,
  type MachineChart,
  type StepRecord,
  type Timeline,
} from '../../trace/index.ts'
import type { Tone } from '../widgets/pill.tsx'
import { useMemo } from 'react'

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
  // `backingOff`, `checkingStorage`
  [/[a-z]{2}ing[A-Z]/, 'pending'],
  [/^(open|joined|live|fresh|authenticated|ready|done|settled|leader|aal\d)$/i, 'ok'],
]

const WEIGHT: readonly Tone[] = ['fail', 'pending', 'stale', 'ok', 'neutral']

/** A view's tone, and the active state that determines it. */
export interface Meaning {
  readonly tone: Tone
  /** Path of the most severe active state; undefined if the status alone decides. */
  readonly path?: string
}

/** Returns the tone of a view: by its status first, then by the most severe active state. */
export function meaningOf(
  step: { readonly status: StepRecord['status']; readonly value?: StepRecord['value'] | undefined },
  chart?: MachineChart,
): Meaning {
  if (step.status === 'error') return { tone: 'fail' }
  if (step.status !== 'active') return { tone: 'neutral' }
  const all = leafPaths(step.value).map(path => ({ tone: stateTone(path, chart), path }))
  return all.toSorted((a, b) => WEIGHT.indexOf(a.tone) - WEIGHT.indexOf(b.tone))[0] ?? { tone: 'neutral' }
}

/** Returns the tone of a state by its tags, else by its name. */
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

/** Returns the state at a path from the machine's root. */
function stateAt(root: ChartState, path: string): ChartState | undefined {
  if (path === root.path) return root
  const next = root.states.find(state => path === state.path || path.startsWith(`${state.path}.`))
  return next ? stateAt(next, path) : undefined
}

const GRAVE: readonly Tone[] = ['fail', 'pending', 'stale']

/** Returns the tone of the states a view reached: the most severe one, else the first. */
export function useTones(
  timeline: Timeline,
  charts: Readonly<Record<string, MachineChart>>,
): (seq: number) => Tone {
  return useMemo(() => {
    const tones = new Tones(timeline, charts)
    return seq => tones.of(seq)
  }, [timeline, charts])
}

class Tones {
  readonly #timeline: Timeline
  readonly #charts: Readonly<Record<string, MachineChart>>
  /** By machine and state number. */
  readonly #known = new Map<string, (Tone | undefined)[]>()

  constructor(timeline: Timeline, charts: Readonly<Record<string, MachineChart>>) {
    this.#timeline = timeline
    this.#charts = charts
  }

  of(seq: number): Tone {
    const src = this.#timeline.actors[this.#timeline.actor(seq)]?.src ?? ''
    const state = this.#timeline.stateId(seq)
    let known = this.#known.get(src)
    if (!known) this.#known.set(src, (known = []))
    const found = known[state]
    if (found !== undefined) return found
    const tones = this.#timeline.state(seq).leaves.map(path => stateTone(path, this.#charts[src]))
    // If nothing is wrong, the first region decides.
    const gravest = GRAVE.find(tone => tones.includes(tone)) ?? tones[0] ?? 'neutral'
    known[state] = gravest
    return gravest
  }
}
