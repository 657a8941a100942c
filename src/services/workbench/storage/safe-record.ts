// Reads lists and records whose entries and names may be anything, including `constructor` and `__proto__`.
import {
  array,
  custom,
  pipe,
  string,
  transform,
  tuple,
  type BaseIssue,
  type BaseSchema,
  type GenericSchema,
  safeParse,
} from 'valibot'

const isNamed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Any JSON object, unchanged; the library's `record` drops names that objects inherit. */
export const isAnyKeyOf = custom<Readonly<Record<string, unknown>>>(isNamed, 'must be an object')

/** An object whose values are all parsed by `item`. */
export const byName = <T>(
  item: BaseSchema<unknown, T, BaseIssue<unknown>>,
): GenericSchema<unknown, Record<string, T>> =>
  pipe(
    isAnyKeyOf,
    transform(value => Object.entries(value)),
    array(tuple([string(), item])),
    transform((entries): Record<string, T> => Object.fromEntries(entries)),
  )

/** Returns the own value of a name, ignoring inherited properties. */
export const ownValue = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Creates an empty record without inherited properties. */
export const emptyRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>

/** Returns the valid entries and drops the others; undefined if the response is not a list. */
export function readList<T>(
  item: BaseSchema<unknown, T, BaseIssue<unknown>>,
  answer: unknown,
): readonly T[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer.flatMap((each: unknown) => {
    const read = safeParse(item, each)
    return read.success ? [read.output] : []
  })
}
