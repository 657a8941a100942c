// Tones of the states on the lanes; computed once for each state of each machine.
import { useMemo } from 'react'
import type { MachineChart, Timeline } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { stateTone } from '../tone.ts'

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
