// Compiles a pattern to a test; conditions on the actor alone are evaluated once per actor.
import { comparison, read, type Read } from './compare.ts'
import type { ActorPattern, Key, Past, Pattern, Span, StepPattern } from './language.ts'
import type { Followed, ObservedStep, Subject } from './steps.ts'
import { anyOf, pathTest, statesTest, typesTest } from './values.ts'

/** Whether steps of an actor are relevant. */
type Wants = (actor: Followed) => boolean

/** All actors are relevant. */
const always = () => true

/** A compiled pattern. */
export interface Match {
  /** Whether a step of this actor can match at all. */
  readonly wants: Wants
  /** Whether a step matches; called only for wanted actors. */
  readonly test: (subject: Subject, step: ObservedStep) => boolean
}

/** The trace state that a pattern may read in addition to the step. */
export interface Memory {
  /** Whether the span is open. */
  inside(span: Span, by?: Key): Test
  happened(past: Past): Test
  /** Whether some actor currently matches. */
  some(pattern: ActorPattern): Test
  /** Called if a pattern distinguishes actors by more than the name of their logic. */
  usesPaths(): void
  /** Number of uses of this memory: a pattern without any is the same for every trace. */
  readonly uses: number
}

type Test = Match['test']
type Field<T> = (wanted: T, memory: Memory) => Test

const comparing =
  (from: Read): Field<NonNullable<ActorPattern['context']>> =>
  wanted => {
    const parts = Object.entries(wanted).map(([path, one]) => [read(path), comparison(one)] as const)
    return (subject, step) =>
      parts.every(([part, compare]) => compare(part(from(subject, step)), subject, step))
  }

type Fields = Required<StepPattern>

/** In evaluation order, the cheap ones first. */
const FIELDS: { readonly [K in Exclude<keyof Fields, 'actor' | 'src' | 'root'>]: Field<Fields[K]> } = {
  event: wanted => {
    const test = typesTest(wanted)
    return (_, { event }) => test(event.type)
  },
  first:
    wanted =>
    (_, { isFirst }) =>
      isFirst === wanted,
  changed:
    wanted =>
    (_, { record }) =>
      record.changed === wanted,
  ended: wanted => {
    if (wanted === 'earlier')
      return ({ actor: { endedIn } }, { stimulus }) => endedIn !== undefined && endedIn < stimulus
    return ({ actor: { endedIn } }) => (endedIn !== undefined) === wanted
  },
  status: wanted => {
    if (typeof wanted === 'string') return ({ status }) => status === wanted
    const list: readonly unknown[] = wanted
    return ({ status }) => list.includes(status)
  },
  state: wanted => {
    const test = statesTest(wanted)
    return ({ value }) => test(value)
  },
  entered: wanted => {
    const test = statesTest(wanted)
    return ({ value, actor }) => test(value) && !test(actor.before.value)
  },
  left: wanted => {
    const test = statesTest(wanted)
    return ({ value, actor }) => !test(value) && test(actor.before.value)
  },
  from: wanted => {
    const test = anyOf(wanted, pathTest)
    return (_, { from }) => from !== undefined && test(from.path)
  },
  via: wanted => {
    const test = typesTest(wanted)
    return (_, { record }) => record.via?.some(test) ?? false
  },
  with: comparing((_, { event }) => event),
  context: comparing(({ context }) => context),
  output: comparing((_, { record }) => record.output),
  error: comparing((_, { record }) => record.error),
  children: wanted => {
    const compare = comparison(wanted)
    return (subject, step) => compare(subject.actor.children, subject, step)
  },
  was: (wanted, memory) => {
    const test = whole(matching(wanted, memory))
    return ({ actor }, step) => test(actor.before, step)
  },
  parent: (wanted, memory) => {
    const { wants, test } = matching(wanted, memory)
    return ({ actor: { parent } }, step) => parent !== undefined && wants(parent) && test(parent, step)
  },
  some: (wanted, memory) => memory.some(wanted),
  inside: (wanted, memory) =>
    'span' in wanted ? memory.inside(wanted.span, wanted.by) : memory.inside(wanted),
  happened: (wanted, memory) => memory.happened(wanted),
  all: (wanted, memory) => {
    return together(wanted.map(one => matching(one, memory).test))
  },
  any: (wanted, memory) => {
    return either(wanted.map(one => whole(matching(one, memory))))
  },
  not: (wanted, memory) => {
    const test = whole(matching(wanted, memory))
    return (subject, step) => !test(subject, step)
  },
}

type Name = keyof typeof FIELDS
const RANKS = new Map(Object.keys(FIELDS).map((name, rank) => [name, rank]))

/** Combines both halves of a match. */
export const whole = ({ wants, test }: Match): Test =>
  wants === always ? test : (subject, step) => wants(subject.actor) && test(subject, step)

/** Compiles a pattern. */
export function matching(pattern: Pattern | ActorPattern, memory: Memory): Match {
  if (typeof pattern === 'function') return { wants: always, test: (_, step) => pattern(step) }
  const known = KNOWN.get(pattern)
  if (known) return known
  const { uses } = memory
  const match = { wants: wanting(pattern), test: testing(pattern, memory) }
  if (uses === memory.uses) KNOWN.set(pattern, match)
  return match
}

/** Compiled patterns that need no memory. */
const KNOWN = new WeakMap<Pattern | ActorPattern, Match>()

function testing(wanted: StepPattern, memory: Memory): Test {
  if (wanted.actor !== undefined) memory.usesPaths()
  const names = Object.keys(wanted).filter(name => RANKS.has(name)) as Name[]
  const tests = names
    .sort((a, b) => (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0))
    .filter(name => wanted[name] !== undefined)
    .map(name => (FIELDS[name] as Field<unknown>)(wanted[name], memory))
  return together(tests)
}

/** Fast paths, since most patterns have one or two conditions. */
function together(tests: readonly Test[]): Test {
  const [one, two, three] = tests
  if (!one) return always
  if (!two) return one
  if (!three) return (subject, step) => one(subject, step) && two(subject, step)
  const rest = together(tests.slice(2))
  return (subject, step) => one(subject, step) && two(subject, step) && rest(subject, step)
}

function either(tests: readonly Test[]): Test {
  const [one, ...others] = tests
  if (!one) return () => false
  if (others.length === 0) return one
  const rest = either(others)
  return (subject, step) => one(subject, step) || rest(subject, step)
}

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
  return any && allTypes(any.map(typesOf))
}

/** Returns the union of several sets of types. */
export function allTypes(all: readonly Types[]): Types {
  return all.includes(undefined) ? undefined : new Set(all.flatMap(types => [...(types ?? [])]))
}
