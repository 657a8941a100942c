// Maps by qualified names. Any text may be a name, so names are never keys of plain objects.
import type { Name } from './schema-cache.ts'

/** PostgreSQL's names do not contain NUL. */
const keyOf = ({ schema, name }: Name): string => `${schema}\0${name}`

interface NameMap<Value> {
  get(name: Name): Value | undefined
}

/** A map by qualified names; of several values with one name, the last remains. */
export function mapByName<Value>(entries: Iterable<readonly [Name, Value]>): NameMap<Value> {
  const map = new Map(Array.from(entries, ([name, value]) => [keyOf(name), value]))
  return { get: name => map.get(keyOf(name)) }
}

/** Groups items by a qualified name, in their order. */
export function groupByName<Item>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): NameMap<readonly Item[]> {
  const groups = Map.groupBy(items, item => keyOf(nameOf(item)))
  return { get: name => groups.get(keyOf(name)) }
}

/** Computes the value of a name once. */
export function memoizeByName<Value>(compute: (name: Name) => Value): (name: Name) => Value {
  const values = new Map<string, Value>()
  return name => {
    const key = keyOf(name)
    const cachedValue = values.get(key)
    if (cachedValue !== undefined) return cachedValue
    const value = compute(name)
    values.set(key, value)
    return value
  }
}

export const isSameName = (one: Name, b: Name): boolean => keyOf(one) === keyOf(b)

/** A text that sorts as its parts do, one after the other: no part contains NUL. */
export const sortKey = (parts: readonly string[]): string => parts.map(part => `${part}\0`).join('')

/** Like PostgreSQL's order of names, which depends on no language. */
export const compareTexts = (one: string, b: string): number => Number(one > b) - Number(one < b)
