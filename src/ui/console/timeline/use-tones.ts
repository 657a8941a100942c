// What the states on the lanes mean; found once for each state of each machine.
import { useMemo } from 'react'
import type { MachineChart } from '../../../trace/format.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { stateTone } from '../tone.ts'

const WEIGHT: readonly Tone[] = ['fail', 'pending', 'stale', 'ok', 'neutral']

/** Answers the gravest tone among the states that a view reached. */
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
  readonly #known = new Map<string, Tone>()

  constructor(timeline: Timeline, charts: Readonly<Record<string, MachineChart>>) {
    this.#timeline = timeline
    this.#charts = charts
  }

  of(seq: number): Tone {
    const src = this.#timeline.actors[this.#timeline.actor(seq)]?.src ?? ''
    const key = `${this.#timeline.stateId(seq)} ${src}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const tones = this.#timeline.state(seq).leaves.map(path => stateTone(path, this.#charts[src]))
    const gravest = WEIGHT.find(tone => tones.includes(tone)) ?? 'neutral'
    this.#known.set(key, gravest)
    return gravest
  }
}
