// Reads values of recorded events, which may have any form.

/** Reads a nested value by its keys. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let inner = value
  for (const key of keys) {
    if (typeof inner !== 'object' || inner === null) return undefined
    inner = Reflect.get(inner, key)
  }
  return inner
}

export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...keys: readonly string[]): number | undefined {
  const found = at(value, ...keys)
  return typeof found === 'number' ? found : undefined
}

/** Whether an event is named after a failure. */
export const isFailure = (type: string): boolean =>
  /fail|error|denied|reject|timeout|timedOut|lost/i.test(type)
