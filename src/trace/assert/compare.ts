// Reads values of a step by path, and compares them.
import type { Comparison, Glob, Key, Ref, Scalar } from './language.ts'
import type { Followed, ObservedStep, Subject } from './steps.ts'
import { at } from '../event-values.ts'
import { globTest, stateName } from './values.ts'

export type Read = (subject: Subject, step: ObservedStep) => unknown
type Compare = (value: unknown, subject: Subject, step: ObservedStep) => boolean

/** Creates a reader for a part of a value by its path. */
export function read(path: string): (value: unknown) => unknown {
  if (path === '') return value => value
  const keys = path.split('.')
  return value => at(value, ...keys)
}

/** The allowed first parts of a step path. */
const ROOTS: Readonly<Record<string, Read>> = {
  actor: ({ actor }) => actor.path,
  src: ({ actor }) => actor.src,
  context: ({ context }) => context,
  status: ({ status }) => status,
  state: ({ value }) => stateName(value),
  children: ({ actor }) => actor.children,
  event: (_, { event }) => event,
  output: (_, { record }) => record.output,
  error: (_, { record }) => record.error,
  from: (_, { from }) => from?.path,
  t: (_, { t }) => t,
  seq: (_, { seq }) => seq,
}

/**
 * Creates a reader for a path such as `context.info.id`, `parent.context.x`, `was.state`; undefined for an
 * invalid path.
 */
export function readPath(path: string): Read | undefined {
  const [root = '', ...keys] = path.split('.')
  if (root === 'parent' || root === 'was') {
    if (keys.length === 0 && root === 'parent') return ({ actor }) => actor.parent?.path
    const inner = readPath(keys.join('.'))
    const of = (actor: Followed) => (root === 'was' ? actor.before : actor.parent)
    return (
      inner &&
      (({ actor }, step) => {
        const subject = of(actor)
        return subject && inner(subject, step)
      })
    )
  }
  const from = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined
  if (!from || keys.length === 0) return from
  return (subject, step) => at(from(subject, step), ...keys)
}

const isRef = (value: unknown): value is Ref => typeof value === 'object' && value !== null && 'ref' in value

function constant(value: Scalar | Ref): Read {
  return isRef(value) ? (readPath(value.ref) ?? (() => undefined)) : () => value
}

const ordered =
  (holds: (left: number, right: number) => boolean) =>
  (wanted: number | Ref): Compare => {
    const right = constant(wanted)
    return (value, _, step) => {
      const other = right(step, step)
      return typeof value === 'number' && typeof other === 'number' && holds(value, other)
    }
  }

type Operators = Required<Extract<Comparison, { is?: unknown }>>

const OPERATORS: { readonly [K in keyof Operators]: (wanted: Operators[K]) => Compare } = {
  is: wanted => {
    const right = constant(wanted)
    // Two missing values do not count as equal.
    return (value, _, step) => value !== undefined && value === right(step, step)
  },
  isNot: wanted => {
    const right = constant(wanted)
    return (value, _, step) => value !== right(step, step)
  },
  above: ordered((left, right) => left > right),
  atLeast: ordered((left, right) => left >= right),
  below: ordered((left, right) => left < right),
  atMost: ordered((left, right) => left <= right),
  oneOf: wanted => value => (wanted as readonly unknown[]).includes(value),
  noneOf: wanted => value => !(wanted as readonly unknown[]).includes(value),
  like: (wanted: Glob) => {
    const tests = (typeof wanted === 'string' ? [wanted] : wanted).map(glob => globTest(glob, '.'))
    return value => typeof value === 'string' && tests.some(test => test(value))
  },
  exists: wanted => value => (value !== undefined) === wanted,
}

/** Compiles a comparison. */
export function comparison(wanted: Comparison): Compare {
  if (typeof wanted !== 'object' || wanted === null) return value => value === wanted
  const tests = (Object.keys(OPERATORS) as (keyof Operators)[])
    .filter(name => wanted[name] !== undefined)
    .map(name => (OPERATORS[name] as (one: unknown) => Compare)(wanted[name]))
  const [only] = tests
  return tests.length === 1 && only
    ? only
    : (value, subject, step) => tests.every(test => test(value, subject, step))
}

/** Returns the keys of a step as text; empty if the path does not exist. */
export function keysOf(key: Key): (step: ObservedStep) => readonly string[] {
  if (typeof key === 'function') {
    return step => {
      const keys = key(step)
      return Array.isArray(keys) ? (keys as Scalar[]).map(String) : keys === undefined ? [] : [String(keys)]
    }
  }
  const part = readPath(key)
  return step => {
    const value = part?.(step, step)
    return value === undefined ? [] : [String(value as Scalar)]
  }
}
