// What timers are known by in a trace: who set them, and for what.
import type { ReplayableTrace } from '../../trace/format.ts'

/** What a timer is known by. */
export interface TimerKey {
  readonly source: string
  readonly type: string
}

/** As one text, to look things up by: whatever the delay, a state has one timer. */
export function textOf(key: TimerKey | undefined): string {
  if (!key) return ''
  const state = stateOf(key.type)
  return `${key.source} ${state === undefined ? key.type : `after ${state}`}`
}

/** Where a timer was set and for what; traces from before that was noted tell it by the step that it set off. */
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
  for (const { cause, actor, from, event } of trace.views) {
    if (missing.delete(cause)) keys.set(cause, { source: path(from ?? actor), type: event.type })
  }
  return keys
}

/** Type of what was recorded as an event. */
export function typeOf(event: unknown): string {
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}

/** `xstate.after.<delay>.<state>`: what stands after the delay, as far as that can be told. */
function stateOf(type: string): string | undefined {
  return /^xstate\.after\.[^.]+\.(.+)$/.exec(type)?.[1]
}

/** The delay that is part of the event's name; 0 where it has a name. */
export function delayOf(type: string): number {
  return Number(/^xstate\.after\.(\d+)\./.exec(type)?.[1] ?? 0)
}
