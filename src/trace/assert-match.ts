// Makes a pattern into a test: what can be told from the actor alone is asked once for each actor.
import { comparison, read, type Read } from './assert-compare.ts'
import type { ActorPattern, Glob, Key, Past, Pattern, Span, StepPattern } from './assert-language.ts'
import type { Followed, Step, Subject } from './assert-steps.ts'
import { globTest, pathTest, stateTest } from './assert-values.ts'
import type { StateValue } from './format.ts'

/** A pattern ready for use. */
export interface Match {
  /** Whether a step of this actor can match at all. */
  readonly wants: (actor: Followed) => boolean
  readonly test: (subject: Subject, step: Step) => boolean
}

/** What a pattern may ask of the trace beside the step itself. */
export interface Memory {
  /** Whether something of this span is open. */
  inside(span: Span, by?: Key): Test
  happened(past: Past): Test
  /** Whether some actor is like this now. */
  some(pattern: ActorPattern): Test
}

type Test = Match['test']
type Field<T> = (wanted: T, memory: Memory) => Test

const always = () => true

const anyOf = <T>(globs: Glob, make: (glob: string) => (value: T) => boolean): ((value: T) => boolean) => {
  const tests = (typeof globs === 'string' ? [globs] : globs).map(make)
  const [only] = tests
  return tests.length === 1 && only ? only : value => tests.some(test => test(value))
}

const inState = (globs: Glob) => anyOf<StateValue | undefined>(globs, stateTest)
const ofType = (globs: Glob) => anyOf<string>(globs, glob => globTest(glob, '.'))

const comparing =
  (from: Read): Field<NonNullable<ActorPattern['context']>> =>
  wanted => {
    const parts = Object.entries(wanted).map(([path, one]) => [read(path), comparison(one)] as const)
    return (subject, step) =>
      parts.every(([part, compare]) => compare(part(from(subject, step)), subject, step))
  }

/** Told from the actor alone. */
const STATIC: { readonly [K in 'actor' | 'src']: (wanted: Glob) => (actor: Followed) => boolean } = {
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
    const test = anyOf(wanted, glob => globTest(glob, '.'))
    return ({ src }) => test(src)
  },
}

type Fields = Required<StepPattern>

/** The cheap ones first, in the order in which they are asked. */
const FIELDS: { readonly [K in Exclude<keyof Fields, 'actor' | 'src'>]: Field<Fields[K]> } = {
  event: wanted => {
    const test = ofType(wanted)
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
  status: wanted => {
    const list = typeof wanted === 'string' ? [wanted] : wanted
    return ({ status }) => status !== undefined && list.includes(status)
  },
  state: wanted => {
    const test = inState(wanted)
    return ({ value }) => test(value)
  },
  entered: wanted => {
    const test = inState(wanted)
    return ({ value, actor }) => test(value) && !test(actor.before.value)
  },
  left: wanted => {
    const test = inState(wanted)
    return ({ value, actor }) => !test(value) && test(actor.before.value)
  },
  from: wanted => {
    const test = anyOf(wanted, pathTest)
    return (_, { from }) => from !== undefined && test(from.path)
  },
  via: wanted => {
    const test = anyOf(wanted, glob => globTest(glob, '.'))
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
    const { test } = matching(wanted, memory)
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
    const tests = wanted.map(one => whole(matching(one, memory)))
    return (subject, step) => tests.every(test => test(subject, step))
  },
  any: (wanted, memory) => {
    const tests = wanted.map(one => whole(matching(one, memory)))
    return (subject, step) => tests.some(test => test(subject, step))
  },
  not: (wanted, memory) => {
    const test = whole(matching(wanted, memory))
    return (subject, step) => !test(subject, step)
  },
}

const ORDER = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

/** Both halves of a match. */
export const whole =
  ({ wants, test }: Match): Test =>
  (subject, step) =>
    wants(subject.actor) && test(subject, step)

/** Makes a pattern ready. */
export function matching(pattern: Pattern | ActorPattern, memory: Memory): Match {
  if (typeof pattern === 'function') return { wants: always, test: (_, step) => pattern(step) }
  const wanted: StepPattern = pattern
  const tests = ORDER.filter(name => wanted[name] !== undefined).map(name => field(name, wanted, memory))
  const [one, two] = tests
  const test: Test = !one ? always : !two ? one : (subject, step) => tests.every(each => each(subject, step))
  return { wants: wanting(pattern), test }
}

function field<K extends keyof typeof FIELDS>(name: K, pattern: StepPattern, memory: Memory): Test {
  return FIELDS[name](pattern[name] as Fields[K], memory)
}

/** What of a pattern can be told from the actor alone. */
export function wanting(pattern: Pattern | ActorPattern): Match['wants'] {
  if (typeof pattern === 'function') return always
  const { actor, src, all, any }: StepPattern = pattern
  const tests: Match['wants'][] = []
  if (src !== undefined) tests.push(STATIC.src(src))
  if (actor !== undefined) tests.push(STATIC.actor(actor))
  for (const one of all ?? []) tests.push(wanting(one))
  const others = any?.map(wanting)
  if (others) tests.push(one => others.some(wants => wants(one)))
  const strict = tests.filter(test => test !== always)
  const [only] = strict
  if (!only) return always
  return strict.length === 1 ? only : one => strict.every(wants => wants(one))
}
