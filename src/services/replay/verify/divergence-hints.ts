// Possible causes of a divergence without machine changes: readings outside the tape, and values that no
// trace can contain.
import { encodeValue, isList, type Json, type ReplayableTrace, typeOf } from '../../../trace/index.ts'
import { originOf } from '../run/restoring.ts'
import type { Readings } from '../run/world-watch.ts'

/** Maximum number of reported events, and of values per event. The rest is nearly always of the same kind. */
const MOST = 3

/** Possible causes as sentences, likeliest first. */
export function findDivergenceHints(trace: ReplayableTrace, upTo: number, readings: Readings): string[] {
  const events = trace.stimuli.filter(({ seq }) => seq <= upTo)
  const carrier = events.find(({ event }) => holdsCode(encodeValue(event)))
  const { input } = trace.header
  // Nearest first.
  const unwritten = events
    .toReversed()
    .map(({ seq, event, threw }) => unwrittenOf(`#${seq} ${typeOf(event) ?? ''}`.trim(), threw ?? event))
    .filter(found => found.length > 0)
  const origin = originOf(trace)
  return [
    ...(origin ? unwrittenOf('the keyframe', origin.snapshot) : unwrittenOf('the input', input)),
    ...unwritten.slice(0, MOST).flat(),
    ...[...readings].map(
      ([name, step]) => `${name} was read when ${step}: only values read from env are repeated in a replay`,
    ),
    ...(holdsCode(encodeValue(input)) ? ['the input contains a function, which no trace can store'] : []),
    ...(carrier
      ? [`#${carrier.seq} ${typeOf(carrier.event) ?? ''} contains a function, which no trace can store`]
      : []),
  ]
}

function holdsCode(json: Json): boolean {
  if (typeof json !== 'object' || json === null) return false
  if (!Array.isArray(json) && Reflect.get(json, '$') === 'function') return true
  return Object.values(json).some(holdsCode)
}

/** Names values that could not be written, by JSON Pointer. */
function unwrittenOf(where: string, value: unknown): string[] {
  const found = [...unwrittenIn(encodeValue(value), '')]
  const more = found.length > MOST ? [`${where} lacks ${found.length - MOST} more values`] : []
  const hints = found.slice(0, MOST).map(({ path, reason }) => {
    const place = path === '' ? where : `${where} at ${path}`
    return `${place} could not be stored, so a replay lacks it: ${reason}`
  })
  return [...hints, ...more]
}

function* unwrittenIn(
  json: Json,
  path: string,
): Generator<{ readonly path: string; readonly reason: string }, void> {
  if (typeof json !== 'object' || json === null) return
  const fields: Readonly<Record<string, Json>> = isList(json) ? Object.fromEntries(json.entries()) : json
  const { $: tag, reason } = fields
  if (tag === 'unwritable' && typeof reason === 'string') {
    yield { path, reason }
    return
  }
  for (const [key, item] of Object.entries(fields)) {
    const name = key.replaceAll('~', '~0').replaceAll('/', '~1')
    // The wrapper of a tagged value is not part of the path.
    yield* unwrittenIn(item, tag !== undefined && key === 'value' ? path : `${path}/${name}`)
  }
}
