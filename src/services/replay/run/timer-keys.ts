// Identifies timers in a trace by who set them and for what event.
import type { ReplayableTrace } from '../../../trace/index.ts'

/** Identity of a timer. */
export interface TimerKey {
  readonly source: string
  readonly type: string
}

/** Lookup key: a state has one timer, whatever its delay. */
export function textOf(key: TimerKey | undefined): string {
  if (!key) return ''
  const state = stateOf(key.type)
  return `${key.source} ${state === undefined ? key.type : `after ${state}`}`
}

/**
 * Returns the key of each timer. Older traces lack the event, so it is taken from the step that the timer
 * caused.
 */
export function timerKeys(trace: ReplayableTrace): Map<number, TimerKey> {
  const missing = new Map<number, TimerKey>()
  const keys = new Map<number, TimerKey>()
  const path = (index: number | undefined) => (index === undefined ? '' : (trace.actors[index]?.path ?? ''))
  for (const { kind, seq, from, event } of trace.stimuli) {
    if (kind !== 'timer') continue
    const type = typeOf(event)
    const key = { source: path(from), type }
    keys.set(seq, key)
    if (type === '') missing.set(seq, key)
  }
  if (missing.size === 0) return keys
  for (const { cause, actor, from, event } of trace.steps) {
    if (missing.delete(cause)) keys.set(cause, { source: path(from ?? actor), type: event.type })
  }
  return keys
}

/** Returns the type of a recorded event. */
export function typeOf(event: unknown): string {
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}

/** Returns the state in `xstate.after.<delay>.<state>`, if there is one. */
function stateOf(type: string): string | undefined {
  return /^xstate\.after\.[^.]+\.(.+)$/.exec(type)?.[1]
}

/** Returns the delay in the event's name; 0 for a named delay. */
export function delayOf(type: string): number {
  return Number(/^xstate\.after\.(\d+)\./.exec(type)?.[1] ?? 0)
}
