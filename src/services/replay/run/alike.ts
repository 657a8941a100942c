// Compares live values of a replay with recorded ones without converting them to plain data.
import {
  ActorReference,
  comparable,
  Equivalence,
  errorExtras,
  hasOmissions,
  isPlain,
  readField,
  type StepRecord,
} from '../../../trace/index.ts'

/** Returns the path of an actor, and undefined for other objects. */
export type PathOf = (object: object) => string | undefined

type Fields = Readonly<Record<string, unknown>>

/** If true, the plain form of `live` equals `known`; if false, it may still be equal. Never throws. */
export function isAlike(live: unknown, known: unknown, pathOf: PathOf): boolean {
  left = UNSHARED
  equal = undefined
  try {
    return areAlike(live, known, pathOf)
  } catch {
    // An app getter threw; the plain form contains a marker for it.
    return false
  }
}

/** Number of objects that are compared until they are remembered: a large value may share them. */
const UNSHARED = 10_000
let left = 0
let equal: Equivalence | undefined

function areAlike(live: unknown, known: unknown, pathOf: PathOf): boolean {
  if (live === known) return live !== 0 || Object.is(live, known)
  if (typeof live !== 'object' || typeof known !== 'object' || live === null || known === null)
    return Object.is(live, known)
  left -= 1
  if (left > 0) return haveSameParts(live, known, pathOf)
  // The first difference ends the comparison, so objects may be assumed to be equal.
  equal ??= new Equivalence()
  return !equal.merge(live, known) || haveSameParts(live, known, pathOf)
}

function haveSameParts(live: object, known: object, pathOf: PathOf): boolean {
  if (isPlain(known)) return isPlain(live) && haveSameFields(live as Fields, known as Fields, pathOf)
  if (Array.isArray(known)) return Array.isArray(live) && haveSameItems(live, known, pathOf)
  if (known instanceof ActorReference) return pathOf(live) === known.path
  return known instanceof Error && live instanceof Error && areSameErrors(live, known, pathOf)
}

function haveSameItems(live: readonly unknown[], known: readonly unknown[], pathOf: PathOf): boolean {
  if (live.length !== known.length) return false
  for (let at = 0; at < known.length; at++) if (!areAlike(live[at], known[at], pathOf)) return false
  return true
}

/** The order of keys matters: the same code produces the same order. */
function haveSameFields(live: Fields, known: Fields, pathOf: PathOf): boolean {
  const [names, keys] = [Object.keys(live), Object.keys(known)]
  if (names.length !== keys.length) return false
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    if (names[at] !== key || !areAlike(live[key], known[key], pathOf)) return false
  }
  return true
}

function areSameErrors(live: Error, known: Error, pathOf: PathOf): boolean {
  if (live instanceof AggregateError || live.name !== known.name || live.message !== known.message)
    return false
  const [has, had] = [Object.hasOwn(live, 'cause'), Object.hasOwn(known, 'cause')]
  return (
    has === had &&
    (!has || areAlike(live.cause, known.cause, pathOf)) &&
    areAlike(errorExtras(live), errorExtras(known), pathOf)
  )
}

const nobody: PathOf = () => undefined

/** If true, the steps are equal except for time and transitions; if false, they may still be equal. */
function isSameStep(got: StepRecord, known: StepRecord): boolean {
  return (
    got.seq === known.seq &&
    got.actor === known.actor &&
    got.from === known.from &&
    got.cause === known.cause &&
    got.by === known.by &&
    got.status === known.status &&
    got.changed === known.changed &&
    PARTS.every(part => part in got === part in known && isAlike(got[part], known[part], nobody))
  )
}

const PARTS = ['event', 'value', 'context', 'output', 'error', 'outputs'] as const

/**
 * Compares a replay's step with the recorded one, except for time and transitions. `partly`: they are equal,
 * but the recording omits parts of values.
 */
export function compareSteps(got: StepRecord, known: StepRecord): 'equal' | 'partly' | 'different' {
  if (isSameStep(got, known)) return 'equal'
  if (haveOtherTexts(comparablePart(got), comparablePart(known))) return 'different'
  const text = comparable(known)
  if (text !== comparable(got)) return 'different'
  return hasOmissions(text) ? 'partly' : 'equal'
}

const comparablePart = ({ t: _time, via: _via, ...rest }: StepRecord): object => rest

/**
 * Whether two plain values certainly differ: a name, length or primitive in their lists and plain objects does. Each
 * object is compared once, unlike in their texts, where it is written wherever it occurs.
 */
function haveOtherTexts(a: unknown, b: unknown): boolean {
  const assumed = new Equivalence()
  const pending: unknown[] = [a, b]
  while (pending.length > 0) {
    const [other, one] = [pending.pop(), pending.pop()]
    if (Object.is(one, other)) continue
    if (!isObject(one) && !isObject(other)) {
      if (isSimple(one) && isSimple(other)) return true
      continue
    }
    if (!isObject(one) || !isObject(other)) continue
    const isList = Array.isArray(one) && Array.isArray(other)
    if (!isList && !(isPlain(one) && isPlain(other))) continue
    if (!assumed.merge(one, other)) continue
    if (isList && one.length !== other.length) return true
    // The text of a list has its items, and `undefined` for each hole.
    const keys = isList ? Array.from(one, (_item, at) => String(at)) : Object.keys(one)
    if (!isList && keys.length !== Object.keys(other).length) return true
    for (const key of keys) {
      if (!isList && !Object.hasOwn(other, key)) return true
      const [mine, theirs]: unknown[] = [readField(one, key), readField(other, key)]
      if (!Object.is(mine, theirs)) pending.push(mine, theirs)
    }
  }
  return false
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Functions and symbols may be written as markers. */
const isSimple = (value: unknown): boolean => typeof value !== 'function' && typeof value !== 'symbol'
