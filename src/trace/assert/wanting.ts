// The conditions of a pattern that depend on the actor alone and need no step.
import type { ActorPattern, Pattern, StepPattern } from './language.ts'
import type { Followed } from './steps.ts'
import { anyOf, pathTest, typesTest } from './values.ts'

/** Whether steps of an actor are relevant. */
export type Wants = (actor: Followed) => boolean

/** All actors are relevant. */
export const always = () => true

type Static = 'actor' | 'src' | 'root'

/** Conditions that depend on the actor alone. */
const STATIC: { readonly [K in Static]: (wanted: Required<StepPattern>[K]) => (actor: Followed) => boolean } =
  {
    root:
      wanted =>
      ({ parent }) =>
        (parent === undefined) === wanted,
    actor: wanted => {
      const test = anyOf(wanted, pathTest)
      const known = new WeakMap<Followed, boolean>()
      return actor => {
        let fits = known.get(actor)
        if (fits === undefined) known.set(actor, (fits = test(actor.path)))
        return fits
      }
    },
    src: wanted => {
      const test = typesTest(wanted)
      return ({ src }) => test(src)
    },
  }

/** Compiles the conditions of a pattern that depend on the actor alone. */
export function wanting(pattern: Pattern | ActorPattern): Wants {
  if (typeof pattern === 'function') return always
  const { actor, src, root, all, any }: StepPattern = pattern
  const tests: Wants[] = []
  if (root !== undefined) tests.push(STATIC.root(root))
  if (src !== undefined) tests.push(STATIC.src(src))
  if (actor !== undefined) tests.push(STATIC.actor(actor))
  for (const one of all ?? []) tests.push(wanting(one))
  const others = any?.map(wanting)
  if (others && !others.includes(always)) tests.push(one => others.some(wants => wants(one)))
  const strict = tests.filter(test => test !== always)
  const [only] = strict
  if (!only) return always
  return strict.length === 1 ? only : one => strict.every(wants => wants(one))
}

/** The event types that a pattern can match; undefined if any. */
export type Types = ReadonlySet<string> | undefined

/** Returns the event types that a pattern can match. */
export function typesOf(pattern: Pattern | ActorPattern): Types {
  if (typeof pattern === 'function') return undefined
  const { event, all, any }: StepPattern = pattern
  const own = event === undefined || [event].flat().some(glob => glob.includes('*')) ? undefined : event
  if (own !== undefined) return new Set([own].flat())
  for (const part of all ?? []) {
    const types = typesOf(part)
    if (types) return types
  }
  return any && together(any.map(typesOf))
}

/** Returns the union of several sets of types. */
export function together(all: readonly Types[]): Types {
  return all.includes(undefined) ? undefined : new Set(all.flatMap(types => [...(types ?? [])]))
}
