// Tests of values that another page sent: each returns whether a value has the expected shape.

export type Test = (value: unknown) => boolean

type Fields = Readonly<Record<string, unknown>>

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isNumber: Test = value => typeof value === 'number' && Number.isFinite(value)
export const isCount: Test = value => Number.isSafeInteger(value) && (value as number) >= 0
export const isFlag: Test = value => typeof value === 'boolean'
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const maybe =
  (test: Test): Test =>
  value =>
    value === undefined || test(value)

export const listOf =
  (test: Test): Test =>
  value =>
    Array.isArray(value) && value.every(test)

/** An object with fields of any names. */
export const recordOf =
  (test: Test): Test =>
  value =>
    isFields(value) && Object.values(value).every(test)

/** An object whose fields pass these tests; it may have more. */
export const fields =
  (tests: Readonly<Record<string, Test>>): Test =>
  value =>
    isFields(value) && Object.entries(tests).every(([name, test]) => test(value[name]))
