// Recorded effect results, the latest of each kind.
import type { TraceSource } from '../../../trace/index.ts'

export type SaidEvent = { readonly type: string } & Readonly<Record<string, unknown>>

const LOOK_BACK = 20_000

/** Returns the latest result of each type from effects with this logic. */
export function answersOf({ stimuli, actors }: TraceSource, src: string): SaidEvent[] {
  const found = new Map<string, SaidEvent>()
  for (let at = stimuli.length - 1; at >= Math.max(0, stimuli.length - LOOK_BACK); at--) {
    const stimulus = stimuli[at]
    if (stimulus?.kind !== 'leaf' || actors[stimulus.from ?? -1]?.src !== src) continue
    const { event } = stimulus
    if (isEvent(event) && !found.has(event.type)) found.set(event.type, event)
  }
  return [...found.values()]
}

const isEvent = (event: unknown): event is SaidEvent =>
  typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
