// Possible causes of a divergence other than a changed machine: values that the recording lacks, and values
// that are random or depend on the time but were read in a way that the recorder cannot see.
import type { AnyActorLogic, AnyActorRef, InspectionEvent } from 'xstate'
import {
  encodeValue,
  isEqual,
  isList,
  isStandIn,
  type Json,
  MAX_DEPTH,
  ownField,
  pointerOf,
  type ReplayableTrace,
  sentEvent,
  typeOf,
} from '../../../trace/index.ts'
import { classesOf, type ComposeSystem } from '../../runtime/index.ts'
import { originOf } from '../run/restoring.ts'
import { ReplayRun } from '../run/replay-run.ts'
import { checkedRun, findWrong } from './checked-run.ts'
import type { SoundPart } from './comparison.ts'
import { type Divergence, divergenceOf } from './divergence.ts'

/** Maximum number of reported events, and of values per event. The rest is nearly always of the same kind. */
const MOST = 3

/** What was replayed. */
interface Replayed {
  readonly compose: AnyActorLogic | ComposeSystem
  readonly sound: SoundPart
  /** Number of the stimulus that led to the divergence. */
  readonly upTo: number
  /** Whether a machine differs from the recorded one. */
  readonly isChanged: boolean
}

/** Returns possible causes as sentences, likeliest first. Replays the trace up to the divergence again. */
export function findHints(trace: ReplayableTrace, divergence: Divergence, replayed: Replayed): string[] {
  return [
    ...lostClasses(trace, replayed),
    ...redactedValues(trace, replayed.upTo),
    ...unseenHints(divergence, replayed.isChanged, () => secondDivergence(trace, replayed)),
    ...lackHints(trace, replayed.upTo, readingsOf(trace, replayed)),
    ...partialHints(trace, replayed.upTo),
  ]
}

/**
 * Names the values of a divergence that no tape can contain, as sentences: those that another replay computes
 * differently, and those that look as if they were made when a module was loaded, unless a machine `isChanged`.
 */
function unseenHints(first: Divergence, isChanged: boolean, again: () => Divergence | undefined): string[] {
  const differing = first.differences.filter(({ expected, got }) => isMade(expected) && isMade(got))
  if (differing.length === 0) return []
  const step = first.expected ? `${first.expected.actor} took ${first.expected.event}` : 'the system ran'
  const second = new Map(again()?.differences.map(({ path, got }) => [path, got]))
  return differing.slice(0, MOST).flatMap(({ path, got }) => {
    if (second.has(path) && !isEqual(second.get(path), got))
      return `${path} has another value in each replay when ${step}: it is read through a function that was bound before the recorder was loaded; wrap that function in taped()`
    return isChanged
      ? []
      : `${path} is the same in each replay, but was recorded with another value: it may be made when its module is loaded; read it through a function wrapped in taped()`
  })
}

/** Replays up to this stimulus again and returns the first divergence. */
function secondDivergence(
  trace: ReplayableTrace,
  { compose, sound, upTo }: Replayed,
): Divergence | undefined {
  try {
    const run = checkedRun(trace, compose, sound)
    const wrong = findWrong(
      run,
      sound.stimuli.filter(({ seq }) => seq <= upTo),
    )
    return wrong && divergenceOf(trace, run, wrong)
  } catch {
    return undefined
  }
}

/** Whether a value may be random or a time: a fraction, a large number, or a text of letters and digits. */
function isMade(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Math.abs(value) > 1e9
  return typeof value === 'string' && value.length >= 8 && (value.match(/\d/g)?.length ?? 0) >= 2
}

/**
 * Replays up to this stimulus again and collects what machine code reads from the platform because the
 * recording did not tape it: names, with the step in which each was first read.
 */
function readingsOf(trace: ReplayableTrace, { compose, upTo }: Replayed): ReadonlyMap<string, string> {
  const watch = new WorldWatch()
  try {
    const run = new ReplayRun(trace, compose, watch)
    run.start()
    for (const stimulus of trace.stimuli) if (stimulus.seq <= upTo) run.step(stimulus)
  } catch {
    // Readings before the error are still reported.
  }
  return watch.readings
}

class WorldWatch {
  readonly readings = new Map<string, string>()
  #step = 'the system was made'

  /** For the replay's inspector. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.event')
      this.#step = `${(event.actorRef as AnyActorRef).id} took ${event.event.type}`
  }

  readonly onRead = (name: string): void => {
    if (!this.readings.has(name)) this.readings.set(name, this.#step)
  }
}

/** Names instances whose class was not found, in what the replay began with and in the event of the divergence. */
function lostClasses(trace: ReplayableTrace, { compose, upTo }: Replayed): string[] {
  const classes = classesOf(compose)
  const { header } = trace
  const keyframe = originOf(trace)
  const begin = keyframe
    ? { where: 'the keyframe', root: '', value: keyframe.snapshot, types: keyframe.types }
    : { where: 'the input', root: '/input', value: header.input, types: header.types }
  const events = trace.stimuli
    .filter(({ seq }) => seq === upTo)
    .map(({ seq, event, types }) => {
      const where = `the event ${typeOf(event) ?? ''} (#${seq})`
      return { where, root: '/event', value: sentEvent(event), types }
    })
  const hints = [begin, ...events].flatMap(({ where, root, value, types = [] }) =>
    classes
      .missing(value, types)
      .map(
        ({ at, name }) => `${name} at ${root}${at} of ${where} lost its class: pass the class in \`codec\``,
      ),
  )
  return hints.length > MOST ? [...hints.slice(0, MOST), `${hints.length - MOST} more lost theirs`] : hints
}

/** Names values in the event of a divergence that a replay knows only as stand-ins. */
function redactedValues({ stimuli }: ReplayableTrace, seq: number): string[] {
  const stimulus = stimuli.find(one => one.seq === seq)
  if (!stimulus) return []
  const { event } = stimulus
  return [...redactedIn(event, '/event', 0)]
    .slice(0, MOST)
    .map(
      path =>
        `a value may be derived from a redacted one: ${path} of the event ${typeOf(event) ?? ''} (#${seq})`,
    )
}

function* redactedIn(value: unknown, path: string, level: number): Generator<string, void> {
  if (typeof value === 'string' && isStandIn(value.replace(/^bearer /i, ''))) yield path
  if (typeof value !== 'object' || value === null || level > MAX_DEPTH) return
  for (const key of Object.keys(value))
    yield* redactedIn(ownField(value, key), `${path}${pointerOf([key])}`, level + 1)
}

/** Names events of which not every object was examined. */
function partialHints({ stimuli }: ReplayableTrace, upTo: number): string[] {
  const cut = stimuli.find(({ seq, partial }) => partial && seq <= upTo)
  if (!cut) return []
  return [
    `objects from the event ${typeOf(cut.event) ?? ''} (#${cut.seq}) on may have lost their identity: there were too many to examine`,
  ]
}

/** Names functions and values that the recording lacks, and what was read outside of its tape. */
function lackHints(trace: ReplayableTrace, upTo: number, readings: ReadonlyMap<string, string>): string[] {
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
      ([name, step]) => `${name} was read when ${step}: the recording was made with \`platform: false\``,
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
