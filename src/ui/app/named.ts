// Values by names that somebody else chose: `constructor` and `__proto__` are names like any other.
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
} from 'valibot'

const isNamed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Any object of JSON, just as it is; the library's `record` leaves out names that objects have by themselves. */
export const anyNamed = custom<Readonly<Record<string, unknown>>>(isNamed, 'must be an object')

/** An object whose values are all read by `item`. */
export const named = <T>(
  item: BaseSchema<unknown, T, BaseIssue<unknown>>,
): GenericSchema<unknown, Record<string, T>> =>
  pipe(
    anyNamed,
    transform(value => Object.entries(value)),
    array(tuple([string(), item])),
    transform((entries): Record<string, T> => Object.fromEntries(entries)),
  )

/** What stands under a name, and nothing that every object has. */
export const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** An object to be filled name by name: in it no name has a meaning yet. */
export const emptyNamed = <T>(): Record<string, T> => Object.create(null) as Record<string, T>
