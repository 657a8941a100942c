// Makes a pattern into a test: what can be told from the actor alone is asked once for each actor.
import { comparison, read, type Read } from './compare.ts'
import type { ActorPattern, Key, Past, Pattern, Span, StepPattern } from './language.ts'
import type { Step, Subject } from './steps.ts'
import { anyOf, pathTest, statesTest, typesTest } from './values.ts'
import { always, wanting, type Wants } from './wanting.ts'

/** A pattern ready for use. */
export interface Match {
  /** Whether a step of this actor can match at all. */
  readonly wants: Wants
  /** Whether it matches; asked only where it is wanted. */
  readonly test: (subject: Subject, step: Step) => boolean
}

/** What a pattern may ask of the trace beside the step itself. */
export interface Memory {
  /** Whether something of this span is open. */
  inside(span: Span, by?: Key): Test
  happened(past: Past): Test
  /** Whether some actor is like this now. */
  some(pattern: ActorPattern): Test
  /** A pattern tells actors apart by more than the name of their logic. */
  usesPaths(): void
  /** How often any of these was used: a pattern that uses none is the same for every trace. */
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

/** The cheap ones first, in the order in which they are asked. */
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
    (_, { view }) =>
      view.changed === wanted,
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
    return (_, { view }) => view.via?.some(test) ?? false
  },
  with: comparing((_, { event }) => event),
  context: comparing(({ context }) => context),
  output: comparing((_, { view }) => view.output),
  error: comparing((_, { view }) => view.error),
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

/** Both halves of a match. */
export const whole = ({ wants, test }: Match): Test =>
  wants === always ? test : (subject, step) => wants(subject.actor) && test(subject, step)

/** Makes a pattern ready. */
export function matching(pattern: Pattern | ActorPattern, memory: Memory): Match {
  if (typeof pattern === 'function') return { wants: always, test: (_, step) => pattern(step) }
  const known = KNOWN.get(pattern)
  if (known) return known
  const { uses } = memory
  const match = { wants: wanting(pattern), test: testing(pattern, memory) }
  if (uses === memory.uses) KNOWN.set(pattern, match)
  return match
}

/** Patterns that need no memory, made ready. */
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

/** Most patterns ask for one or two things. */
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
