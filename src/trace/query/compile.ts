// Compiles a query to a test of steps by their columns, and tests whole records for the terms that need them:
// changes, and the contents of a context or an event.
import type { Timeline } from '../timeline/timeline.ts'
import { shortPath } from '../timeline/actor-tracks.ts'
import { wildcardTest } from '../wildcards.ts'
import { STATUSES } from '../timeline/block.ts'
import type { ComparedKey, FlagWord, Query, Term, TextKey, Wanted } from './parse.ts'
import type { StepRecord } from '../format/records.ts'
import { encodeCompact } from '../codec/codec.ts'
import { isPlain } from '../codec/values.ts'
import { ValueWalk } from '../codec/walk.ts'
import { isEqual } from '../equal.ts'

/** Whether the step with this number matches. */
type Test = (seq: number) => boolean

export interface CompiledQuery {
  readonly query: Query
  /** Call it with steps in ascending order, each once. */
  readonly test: Test
  /** The remaining conditions for steps that pass. */
  readonly deep: readonly { readonly term: DeepTerm; readonly negated: boolean }[]
  /** Whether it excludes nothing. */
  readonly isOpen: boolean
}

/** Compiles a query for one timeline; each name is matched once, however many steps use it. */
export function compileQuery(query: Query, timeline: Timeline): CompiledQuery {
  const deep: CompiledQuery['deep'][number][] = []
  const tests: Test[] = []
  for (const { wanted, negated } of query.terms) {
    if (wanted.kind === 'deep') {
      deep.push({ term: wanted.term, negated })
      continue
    }
    const test = testOf(wanted, timeline)
    tests.push(negated ? seq => !test(seq) : test)
  }
  return { query, test: allOf(tests), deep, isOpen: query.terms.length === 0 }
}

function allOf(tests: readonly Test[]): Test {
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  return seq => {
    for (const test of tests) if (!test(seq)) return false
    return true
  }
}

function testOf(wanted: Exclude<Wanted, { kind: 'deep' }>, timeline: Timeline): Test {
  switch (wanted.kind) {
    case 'text':
      return freeText(wanted.text, timeline)
    case 'key':
      return keyTest(wanted.key, wanted.any, timeline)
    case 'flag':
      return flagTest(wanted.flag, timeline)
    case 'compared':
      return comparedTest(wanted.key, wanted.by, wanted.ms, timeline)
    case 'caused-by':
      return followers(wanted.seq, timeline)
    case 'number':
      return seq => seq === wanted.seq
  }
}

/** Caches the result for each number of a table. */
function once(answer: (id: number) => boolean): (id: number) => boolean {
  const known: (boolean | undefined)[] = []
  return id => (known[id] ??= answer(id))
}

/** Matches a text that is, or contains, the pattern: `*` matches any remainder. */
function matcher(pattern: string): (text: string) => boolean {
  const wanted = pattern.toLowerCase()
  if (!wanted.includes('*')) return text => text.toLowerCase().includes(wanted)
  const fits = wildcardTest(wanted)
  return text => fits(text.toLowerCase())
}

function anyOf(patterns: readonly string[]): (...texts: readonly string[]) => boolean {
  const all = patterns.map(matcher)
  return (...texts) => texts.some(text => all.some(matches => matches(text)))
}

function actorNames(actor: number, timeline: Timeline): readonly string[] {
  const entry = timeline.actors[actor]
  if (!entry) return []
  const short = shortPath(entry)
  const own = entry.path.slice(entry.path.lastIndexOf('/') + 1)
  // Dots and slashes are equivalent.
  return [entry.path, short, own, short.replaceAll('/', '.')]
}

function keyTest(key: TextKey, any: readonly string[], timeline: Timeline): Test {
  const matches = anyOf(any)
  const ofActor = once(actor => matches(...actorNames(actor, timeline)))
  switch (key) {
    case 'actor':
      return seq => ofActor(timeline.actor(seq))
    case 'from': {
      const outside = matches('app', 'outside')
      return seq => (timeline.from(seq) < 0 ? outside : ofActor(timeline.from(seq)))
    }
    case 'src': {
      const ofSrc = once(actor => matches(timeline.actors[actor]?.src ?? ''))
      return seq => ofSrc(timeline.actor(seq))
    }
    case 'type': {
      const ofType = once(id => matches(timeline.types[id] ?? ''))
      return seq => ofType(timeline.typeId(seq))
    }
    case 'state': {
      const ofState = once(id => {
        const { label, paths } = timeline.states[id] ?? { label: '', paths: [] }
        return id > 0 && matches(label, ...paths)
      })
      return seq => ofState(timeline.stateId(seq))
    }
    case 'status': {
      const ofStatus = once(id => matches(STATUSES[id] ?? ''))
      return seq => ofStatus(timeline.flags(seq) & 3)
    }
    case 'fault':
      return seq => timeline.injected(seq) && matches(timeline.faultOf(seq) ?? '')
  }
}

function freeText(text: string, timeline: Timeline): Test {
  const matches = matcher(text)
  const ofActor = once(actor => matches(timeline.actors[actor]?.path ?? ''))
  const ofType = once(id => matches(timeline.types[id] ?? ''))
  const ofState = once(id => id > 0 && matches(timeline.states[id]?.label ?? ''))
  const ofStatus = once(id => matches(STATUSES[id] ?? ''))
  return seq => {
    if (ofActor(timeline.actor(seq)) || ofType(timeline.typeId(seq))) return true
    const state = timeline.stateId(seq)
    if (state > 0 ? ofState(state) : ofStatus(timeline.flags(seq) & 3)) return true
    return timeline.injected(seq) && matches(timeline.faultOf(seq) ?? '')
  }
}

function flagTest(flag: FlagWord, timeline: Timeline): Test {
  switch (flag) {
    case 'noop':
      return seq => !timeline.changed(seq)
    case 'failed':
      return seq => timeline.failed(seq)
    case 'injected':
      return seq => timeline.injected(seq)
    case 'moved':
      return seq => timeline.moved(seq)
    case 'lost':
      return seq => timeline.isLost(seq)
    case 'bookmarked':
      return seq => timeline.bookmarks.some(({ step }) => step === seq)
  }
}

function comparedTest(key: ComparedKey, by: string, ms: number, timeline: Timeline): Test {
  const isSo = (value: number) =>
    by === '>' ? value > ms : by === '<' ? value < ms : by === '>=' ? value >= ms : value <= ms
  if (key === 'at') return seq => isSo(timeline.t(seq))
  return seq => timeline.moved(seq) && isSo(timeline.stayOf(seq))
}

/** All effects of a step, including itself. */
function followers(from: number, timeline: Timeline): Test {
  const found = new Set([from])
  return seq => {
    const follows = seq === from || found.has(timeline.by(seq))
    if (follows) found.add(seq)
    return follows
  }
}

/** Formats a term as text again: for chips that can be negated. */
export function textOfTerm(query: Query, { from, to, negated }: Term, isNegated = negated): string {
  const text = query.text.slice(negated ? from + 1 : from, to)
  return isNegated ? `-${text}` : text
}

/** A term about the values of a record. */
export type DeepTerm =
  /** The context value at this JSON pointer differs from the actor's previous step. */
  | { readonly kind: 'changed'; readonly path: string }
  /** A value exists at this pointer, and equals or contains this text. */
  | { readonly kind: 'context' | 'event' | 'output'; readonly path: string; readonly value?: string }
  /** The context contains this text anywhere, as a key or in a value. */
  | { readonly kind: 'holds'; readonly text: string }

/** Whether a step matches the term; `before` is the actor's previous step. */
export function matchesDeep(term: DeepTerm, step: StepRecord, before: StepRecord | undefined): boolean {
  switch (term.kind) {
    case 'changed':
      return before === undefined
        ? valueAt(step.context, term.path) !== undefined
        : step.context !== before.context && !isSame(step.context, before.context, term.path)
    case 'holds':
      return contains(step.context, term.text.toLowerCase())
    default: {
      const value = valueAt(step[term.kind], term.path)
      return value !== undefined && (term.value === undefined || isValue(value, term.value))
    }
  }
}

/** Whether a text occurs in a value: in a key or a value, or in both as in JSON. Each object is searched once. */
function contains(value: unknown, wanted: string): boolean {
  for (const { value: item, key, owner } of new ValueWalk(value, { repeats: true })) {
    const isOpen = typeof item === 'object' && item !== null && !isWritten(item)
    const text = isOpen ? '' : textOfValue(item)
    const isNamed = typeof key === 'string' && owner !== undefined
    if ((isNamed ? `${JSON.stringify(key)}:${text}` : text).toLowerCase().includes(wanted)) return true
  }
  return false
}

/** Whether an object's text is not that of its members. */
const isWritten = (value: object): boolean =>
  !Array.isArray(value) && !isPlain(value) && !(value instanceof Map || value instanceof Set)

function isSame(a: unknown, b: unknown, path: string): boolean {
  return isEqual(valueAt(a, path), valueAt(b, path), (was, is) => textOfValue(was) === textOfValue(is))
}

function isValue(value: unknown, wanted: string): boolean {
  const text = typeof value === 'string' ? value : textOfValue(value)
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted
}

/** Returns the value at a JSON pointer; the whole value for an empty one. */
function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const raw of pointer.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~')
    if (at instanceof Map) at = at.get(key)
    else if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    else at = Reflect.get(at, key)
  }
  return at
}

/** As JSON in the codec's form; what occurs several times in a large value is written once. */
export function textOfValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  return JSON.stringify(encodeCompact(value))
}
