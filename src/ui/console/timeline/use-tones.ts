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
    const known = new Map<string, Tone>()
    return seq => {
      const src = timeline.actors[timeline.actor(seq)]?.src ?? ''
      const key = `${timeline.stateId(seq)} ${src}`
      const found =
        known.get(key) ?? gravest(timeline.state(seq).leaves.map(path => stateTone(path, charts[src])))
      known.set(key, found)
      return found
    }
  }, [timeline, charts])
}

const gravest = (tones: readonly Tone[]): Tone => WEIGHT.find(tone => tones.includes(tone)) ?? 'neutral'
