// Validates plain data and reports problems with their path and a suggestion.
import { editDistance } from '../edit-distance.ts'

/** A problem, described so that it can be fixed. */
export interface Problem {
  /** Path from the root, `$`. */
  readonly at: string
  readonly message: string
}

export type Tell = (at: string, message: string) => void
export type Check = ((value: unknown, at: string, report: Tell) => void) & { readonly isOptional?: true }

/** Deeper than any handwritten data. */
const DEEPEST = 64
/** Maximum number of reported problems. */
const MOST = 20

/** Returns all problems of a value. */
export function check(shape: Check, value: unknown, at: string): Problem[] {
  const problems: Problem[] = []
  if (depthOf(value) > DEEPEST) return [{ at, message: `is nested more than ${DEEPEST} levels deep` }]
  shape(value, at, (place, message) => void (problems.length < MOST && problems.push({ at: place, message })))
  return problems
}

function depthOf(value: unknown): number {
  let [depth, level]: [number, unknown[]] = [0, [value]]
  while (level.length > 0 && depth <= DEEPEST) {
    level = level.flatMap(one =>
      typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : [],
    )
    depth += 1
  }
  return depth
}

/** May be missing. */
export const optional = (shape: Check): Check =>
  Object.assign((value: unknown, at: string, report: Tell) => shape(value, at, report), {
    isOptional: true,
  } as const)

/** One of several keywords. */
export const oneOf =
  (...words: readonly string[]): Check =>
  (value, at, report) => {
    if (typeof value === 'string' && words.includes(value)) return
    report(at, `must be one of ${words.join(', ')}, not ${inWords(value)}${hint(value, words)}`)
  }

/** A value that passes a test. */
export const value =
  (isRight: (value: unknown) => boolean, what: string): Check =>
  (one, at, report) => {
    if (!isRight(one)) report(at, `must be ${what}, not ${inWords(one)}`)
  }

/** A list with a minimum length. */
export const list =
  (shape: Check, least: number): Check =>
  (value, at, report) => {
    if (!Array.isArray(value)) return report(at, `must be a list, not ${inWords(value)}`)
    if (value.length < least) report(at, 'must not be empty')
    value.forEach((one, index) => shape(one, `${at}[${index}]`, report))
  }

/** An object with exactly these fields. */
export const object =
  (fields: Readonly<Record<string, Check>>, what: string): Check =>
  (value, at, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return report(at, `must be ${what}, not ${inWords(value)}`)
    for (const [name, one] of Object.entries(value)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field) field(one, `${at}.${name}`, report)
      else report(`${at}.${name}`, `is not allowed in ${what}${hint(name, Object.keys(fields))}`)
    }
    for (const [name, { isOptional }] of Object.entries(fields))
      if (!isOptional && !Object.hasOwn(value, name)) report(at, `is ${what} and lacks "${name}"`)
  }

function inWords(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

function hint(value: unknown, words: readonly string[]): string {
  // Long words are never near.
  if (typeof value !== 'string' || value.length > 40) return ''
  const near = words.map(word => [editDistance(value, word), word] as const).sort(([a], [b]) => a - b)[0]
  return near && near[0] <= Math.ceil(value.length / 3) ? `; did you mean "${near[1]}"?` : ''
}
