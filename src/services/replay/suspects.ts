// What may have made a replay diverge although no machine changed: readings past the tape, values that are code.
import { encodeValue } from '../../trace/codec.ts'
import type { Json } from '../../trace/codec.ts'
import type { ReplayableTrace } from '../../trace/format.ts'
import type { Readings } from './world-watch.ts'

/** Possible causes in sentences, the likeliest first. */
export function findSuspects(trace: ReplayableTrace, upTo: number, readings: Readings): string[] {
  const events = trace.stimuli.filter(({ seq }) => seq <= upTo)
  const carrier = events.find(({ event }) => holdsCode(encodeValue(event)))
  const { event } = carrier ?? {}
  const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
  return [
    ...[...readings].map(
      ([name, step]) => `${name} was read when ${step}: only what is read from env comes again in a replay`,
    ),
    ...(holdsCode(encodeValue(trace.header.input))
      ? ['the input holds a function, which no trace can carry']
      : []),
    ...(carrier ? [`#${carrier.seq} ${type} holds a function, which no trace can carry`] : []),
  ]
}

function holdsCode(json: Json): boolean {
  if (typeof json !== 'object' || json === null) return false
  if (!Array.isArray(json) && Reflect.get(json, '$') === 'function') return true
  return Object.values(json).some(holdsCode)
}
