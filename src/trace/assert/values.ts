// Reads and formats what assertions compare: states by name, names by glob, durations.
import { pathWildcardTest, wildcardTest } from '../wildcards.ts'
import type { Glob } from './language.ts'
import type { StateValue } from '../format/records.ts'

/** Whether a state with one of these names is active, at any depth. */
export function isIn(value: StateValue | undefined, ...names: readonly string[]): boolean {
  if (value === undefined) return false
  if (typeof value === 'string') return names.includes(value)
  for (const key in value) if (names.includes(key) || isIn(value[key], ...names)) return true
  return false
}

/** Formats the active states, e.g. `attached connecting`. */
export function stateName(value: StateValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${stateName(inner)}`.trim())
    .join(' and ')
}

type Test<T> = (value: T) => boolean

/** Compiles a glob: `*` matches anything except a separator, `**` anything at all. */
export function globTest(glob: string, separator: '/' | '.'): Test<string> {
  if (!glob.includes('*')) return text => text === glob
  if (glob === '**' || (glob === '*' && separator === '.')) return () => true
  if (separator === '.') {
    // As with XState's wildcards, `mouse.*` also means `mouse` itself.
    const [fits, stem] = [
      wildcardTest(glob),
      glob.endsWith('.*') ? wildcardTest(glob.slice(0, -2)) : undefined,
    ]
    return text => fits(text) || stem?.(text) === true
  }
  return pathWildcardTest(glob)
}

/** Compiles a glob over actor paths; without an ordinal, it matches all actors that had this name. */
export function pathTest(glob: string): Test<string> {
  const fits = globTest(glob, '/')
  return glob.includes('#') ? fits : path => fits(path.includes('#') ? path.replaceAll(/#\d+/g, '') : path)
}

/** Matches any of these globs. */
export const anyOf = <T>(
  globs: Glob,
  make: (glob: string) => (value: T) => boolean,
): ((value: T) => boolean) => {
  const tests = (typeof globs === 'string' ? [globs] : globs).map(make)
  const [one, two] = tests
  if (!one) return () => false
  if (!two) return one
  return tests.length === 2 ? value => one(value) || two(value) : value => tests.some(test => test(value))
}

/** Compiles globs over event types and logic names; plain names are looked up. */
export function typesTest(globs: Glob): Test<string> {
  const make = (glob: string) => globTest(glob, '.')
  const list = typeof globs === 'string' ? [globs] : globs
  const [only] = list
  if (list.length === 1 && only !== undefined) return make(only)
  const plain = new Set(list.filter(glob => !glob.includes('*')))
  const tests = list.filter(glob => glob.includes('*')).map(make)
  if (tests.length === 0) return text => plain.has(text)
  return text => plain.has(text) || tests.some(test => test(text))
}

/** Compiles globs over states: `a.b` is a path from the root, `*` one name, `**.b` a name at any depth. */
export function statesTest(globs: Glob): Test<StateValue | undefined> {
  const list = (typeof globs === 'string' ? [globs] : globs).map(glob => glob.split('.'))
  const deep = list.filter(
    ([first, name, ...rest]) =>
      first === '**' && name !== undefined && !name.includes('*') && rest.length === 0,
  )
  const others = list.filter(names => !deep.includes(names))
  const names = deep.flatMap(([, name]) => name ?? [])
  const [only] = others
  if (!only) return value => isIn(value, ...names)
  if (list.length === 1) return value => isUnder(value, only, 0)
  return value => others.some(one => isUnder(value, one, 0)) || isIn(value, ...names)
}

function isUnder(value: StateValue | undefined, names: readonly string[], from: number): boolean {
  const name = names[from]
  if (name === undefined) return true
  if (value === undefined) return name === '**' && isUnder(value, names, from + 1)
  if (name === '**' || name === '*') return isUnderAny(value, names, from)
  if (typeof value === 'string') return value === name && isUnder(undefined, names, from + 1)
  return Object.hasOwn(value, name) && isUnder(value[name], names, from + 1)
}

function isUnderAny(value: StateValue, names: readonly string[], from: number): boolean {
  const isDeep = names[from] === '**'
  if (isDeep && isUnder(value, names, from + 1)) return true
  const next = isDeep ? from : from + 1
  if (typeof value === 'string') return isUnder(undefined, names, next)
  return Object.values(value).some(inner => isUnder(inner, names, next))
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }

/** Parses a duration such as `30 s` to milliseconds; undefined if invalid. */
export function milliseconds(span: number | string): number | undefined {
  if (typeof span === 'number') return span >= 0 ? span : undefined
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(ms|s|min|h)$/.exec(span) ?? []
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (UNITS[unit] ?? 1)
}

/** Formats a duration, e.g. `250 ms`, `1.5 s`, `640 s`. */
export function timeInWords(time: number): string {
  if (time < 1_000) return `${Math.round(time)} ms`
  return `${time < 10_000 ? Math.round(time / 10) / 100 : Math.round(time / 1_000)} s`
}
