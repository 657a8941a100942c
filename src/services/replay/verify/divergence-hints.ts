// Possible causes of a divergence other than a changed machine: values that the recording lacks, and values
// that are random or depend on the time but were read in a way that the recorder cannot see.
import type { AnyActorLogic, AnyActorRef, InspectionEvent } from 'xstate'
import {
  isEqual,
  isStandIn,
  Opaque,
  pointerTo,
  type ReplayableTrace,
  sentEvent,
  type StepRecord,
  type Stimulus,
  typeOf,
  ValueWalk,
} from '../../../trace/index.ts'
import { classesOf, type ComposeSystem, isPlatformClass } from '../../runtime/index.ts'
import { originOf } from '../run/restoring.ts'
import { ReplayRun } from '../run/replay-run.ts'
import { checkedRun, findWrong } from './checked-run.ts'
import type { SoundPart } from './comparison.ts'
import { differencesOf, type Divergence } from './divergence.ts'

/** Maximum number of reported events, and of values per event. The rest is nearly always of the same kind. */
const MOST = 3

/** Maximum number of values that are searched; some seconds. */
const MOST_VALUES = 5_000_000

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
  const past = pastOf(trace, replayed.upTo)
  return [
    ...lostClasses(trace, replayed),
    ...redactedValues(past, standInsBefore(trace, divergence)),
    ...unseenHints(divergence, replayed.isChanged, () => secondDifferences(trace, replayed)),
    ...lackHints(past, readingsOf(trace, replayed)),
    ...partialHints(trace, replayed.upTo),
    ...(past.isComplete
      ? []
      : [
          `only the first ${MOST_VALUES.toLocaleString('en')} values before the divergence were searched for causes`,
        ]),
  ]
}

/**
 * Names the values of a divergence that no tape can contain, as sentences: those that another replay computes
 * differently, and those that look as if they were made when a module was loaded, unless a machine `isChanged`.
 */
function unseenHints(
  first: Divergence,
  isChanged: boolean,
  again: () => Divergence['differences'],
): string[] {
  // A changed machine explains all but random values and times.
  const differences = first.differences.filter(
    ({ expected, got }) => !isChanged || (isMade(expected) && isMade(got)),
  )
  if (differences.length === 0) return []
  const step = first.expected ? `${first.expected.actor} took ${first.expected.event}` : 'the system ran'
  const second = new Map(again().map(({ path, got }) => [path, got]))
  const hints = differences.flatMap(({ path, expected, got }) => {
    if (second.has(path) && !isEqual(second.get(path), got))
      return `${path} has another value in each replay when ${step}: it depends on something that the recording lacks, such as a variable of a module, or a function that was bound before the recorder was loaded; wrap the function that reads it in taped()`
    return isChanged || !isMade(expected) || !isMade(got)
      ? []
      : `${path} is the same in each replay, but was recorded with another value: it may be made when its module is loaded; read it through a function wrapped in taped()`
  })
  return hints.slice(0, MOST)
}

/** Replays up to this stimulus again and returns the differences at the first divergence. */
function secondDifferences(
  trace: ReplayableTrace,
  { compose, sound, upTo }: Replayed,
): Divergence['differences'] {
  try {
    const run = checkedRun(trace, compose, sound)
    const wrong = findWrong(
      run,
      sound.stimuli.filter(({ seq }) => seq <= upTo),
    )
    return wrong ? differencesOf(trace, run, wrong) : []
  } catch {
    return []
  }
}

/** Whether a value may be random or a time: a fraction, a large number, or a text of letters and digits. */
function isMade(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Math.abs(value) > 1e9
  return typeof value === 'string' && value.length >= 8 && (value.match(/\d/g)?.length ?? 0) >= 2
}

/**
 * Collects what machine code reads from the platform if the recording did not tape it, in another replay up to this
 * stimulus: names, with the step in which each was first read.
 */
function readingsOf(trace: ReplayableTrace, { compose, upTo }: Replayed): ReadonlyMap<string, string> {
  const watch = new WorldWatch()
  if (trace.header.platform) return watch.readings
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

/** Names instances whose class was not found, in what the replay began with and in the events before the divergence. */
function lostClasses(trace: ReplayableTrace, { compose, upTo }: Replayed): string[] {
  const classes = classesOf(compose)
  const { header } = trace
  const keyframe = originOf(trace)
  const begin = keyframe
    ? { where: 'the keyframe', root: '', value: keyframe.snapshot, types: keyframe.types }
    : { where: 'the input', root: '/input', value: header.input, types: header.types }
  const events = eventsUpTo(trace, upTo).map(stimulus => {
    const { event, types } = stimulus
    return { where: `the event ${nameOf(stimulus)}`, root: '/event', value: sentEvent(event), types }
  })
  const hints = [begin, ...events].flatMap(({ where, root, value, types = [] }) =>
    classes.missing(value, types).map(({ at, name }) => {
      const place = `${name} at ${root}${at} of ${where}`
      return isPlatformClass(name)
        ? `${place} is a platform object, which no recording contains: pass \`encode\` and \`decode\` for ${name} in \`codec\``
        : `${place} lost its class: pass the class in \`codec\``
    }),
  )
  return hints.length > MOST ? [...hints.slice(0, MOST), `${hints.length - MOST} more lost theirs`] : hints
}

/** The events up to this stimulus, nearest first. */
const eventsUpTo = ({ stimuli }: ReplayableTrace, upTo: number): Stimulus[] =>
  stimuli.filter(({ seq }) => seq <= upTo).toReversed()

const nameOf = ({ seq, event }: Stimulus): string => `${typeOf(event) ?? ''} (#${seq})`

/** A place in a value, and the text found there. */
interface TextAt {
  readonly path: string
  readonly text: string
}

/** What a replay lacks of a value before the divergence. */
interface Lacks {
  readonly where: string
  readonly event?: Stimulus
  readonly redacted: readonly TextAt[]
  /** With the reason. */
  readonly unwritten: readonly TextAt[]
  readonly hasCode: boolean
}

/** The values before a divergence that lack something: what the replay began with, then the events, nearest first. */
interface Past {
  readonly lacks: readonly Lacks[]
  readonly isComplete: boolean
}

function pastOf(trace: ReplayableTrace, upTo: number): Past {
  const origin = originOf(trace)
  const lacks: Lacks[] = []
  let left = MOST_VALUES
  let isComplete = true
  const search = (where: string, value: unknown, event?: Stimulus) => {
    const redacted: TextAt[] = []
    const unwritten: TextAt[] = []
    let hasCode = false
    const walk = new ValueWalk(value, { limit: left })
    for (const found of walk) {
      const { value: item } = found
      if (typeof item === 'string') {
        const text = item.replace(/^bearer /i, '')
        if (isStandIn(text)) redacted.push({ path: pointerTo(found), text })
      } else if (typeof item === 'function') hasCode = true
      else if (item instanceof Opaque) {
        if (item.kind === 'unwritable') unwritten.push({ path: pointerTo(found), text: item.name })
        hasCode ||= item.kind === 'function'
      }
    }
    left -= walk.visited
    isComplete &&= walk.isComplete
    if (hasCode || redacted.length + unwritten.length > 0)
      lacks.push({ where, ...(event && { event }), redacted, unwritten, hasCode })
  }
  if (origin) search('the keyframe', origin.snapshot)
  search('the input', trace.header.input)
  for (const stimulus of eventsUpTo(trace, upTo)) {
    const { seq, event, threw } = stimulus
    search(`#${seq} ${typeOf(event) ?? ''}`.trim(), threw ?? event, stimulus)
  }
  return { lacks, isComplete }
}

/**
 * Returns the stand-ins that the diverging step could read: in its event, in the state of its actor, and in those of
 * the steps that led to it. Undefined if the recording has no steps.
 */
function standInsBefore(
  trace: ReplayableTrace,
  { index, expected, between }: Divergence,
): ReadonlySet<string> | undefined {
  const last = trace.steps[Math.min(index, trace.steps.length - 1)]
  if (between || !expected || !last) return undefined
  const texts = new Set<string>()
  const values: unknown[] = []
  const actors = new Set<number>()
  let at: StepRecord | undefined = last
  while (at && actors.size <= MOST_CAUSES) {
    values.push(at.event)
    const { actor, seq }: StepRecord = at
    if (!actors.has(actor)) {
      actors.add(actor)
      values.push(trace.steps.findLast(step => step.actor === actor && step.seq < seq)?.context)
    }
    at = at.by === undefined ? undefined : trace.steps[at.by]
  }
  for (const { value } of new ValueWalk(values, { limit: MOST_VALUES })) {
    const text = typeof value === 'string' ? value.replace(/^bearer /i, '') : undefined
    if (text !== undefined && isStandIn(text)) texts.add(text)
  }
  return texts
}

/** Maximum number of actors whose state is searched. */
const MOST_CAUSES = 20

/** Names values that a replay knows only as stand-ins, if the diverging step could read them. */
function redactedValues({ lacks }: Past, readable: ReadonlySet<string> | undefined): string[] {
  const places = lacks.flatMap(({ where, event, redacted }) =>
    redacted
      .filter(({ text }) => readable?.has(text) !== false)
      .slice(0, MOST)
      .map(({ path }) => (event ? `/event${path} of the event ${nameOf(event)}` : `${path} of ${where}`)),
  )
  return places.slice(0, MOST).map(place => `a value may be derived from a redacted one: ${place}`)
}

/** Names events of which not every object was examined. */
function partialHints({ stimuli }: ReplayableTrace, upTo: number): string[] {
  const cut = stimuli.find(({ seq, partial }) => partial && seq <= upTo)
  if (!cut) return []
  return [
    `objects from the event ${nameOf(cut)} on may have lost their identity: there were too many to examine`,
  ]
}

/** Names functions and values that the recording lacks, and what was read outside of its tape. */
function lackHints({ lacks }: Past, readings: ReadonlyMap<string, string>): string[] {
  const unwritten = lacks.filter(lack => lack.unwritten.length > 0)
  const start = unwritten.filter(({ event }) => !event).slice(0, 1)
  const code = lacks.filter(({ hasCode }) => hasCode)
  // The events are listed nearest first; the first of them brought the function.
  const carriers = [
    ...code.filter(({ event }) => !event).slice(-1),
    ...code.filter(({ event }) => event).slice(-1),
  ]
  return [
    ...[...start, ...unwritten.filter(({ event }) => event).slice(0, MOST)].flatMap(unwrittenHints),
    ...[...readings].map(
      ([name, step]) => `${name} was read when ${step}: the recording was made with \`platform: false\``,
    ),
    ...carriers.map(({ where }) => `${where} contains a function, which no trace can store`),
  ]
}

/** Names values that could not be written, by JSON Pointer. */
function unwrittenHints({ where, unwritten }: Lacks): string[] {
  const more = unwritten.length > MOST ? [`${where} lacks ${unwritten.length - MOST} more values`] : []
  const hints = unwritten.slice(0, MOST).map(({ path, text }) => {
    const place = path === '' ? where : `${where} at ${path}`
    return `${place} could not be stored, so a replay lacks it: ${text}`
  })
  return [...hints, ...more]
}
