// Paths of objects within a value, as JSON Pointers. A map's keys and values alternate in one list.
import { isPlain, setOwn } from './values.ts'

/** A step into an object. */
export type PathKey = string | number

/** Objects without parts that are written. */
function isWhole(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    value instanceof Promise ||
    value instanceof EventTarget
  )
}

/** Calls `visit` with each object directly inside a value. Runs no getter. */
export function eachPart(value: object, visit: (part: object, key: PathKey) => void): void {
  if (Array.isArray(value)) return eachItem(value, visit)
  if (!isPlain(value)) {
    if (value instanceof Map) return eachItem([...Map.prototype.entries.call(value)].flat(), visit)
    if (value instanceof Set) return eachItem([...Set.prototype.values.call(value)], visit)
    if (isWhole(value)) return
    if (value instanceof Error) for (const key of HIDDEN) visitField(value, key, visit)
  }
  for (const key of Object.keys(value)) visitField(value, key, visit)
}

/** Fields of errors that are not enumerable. */
const HIDDEN = ['cause', 'errors'] as const

/** Longer lists may be sparse: only their items are visited, not their holes. */
export const MOST_DENSE = 10_000

function eachItem(list: readonly unknown[], visit: (part: object, key: number) => void): void {
  const visitItem = (at: number) => {
    const item = ownField(list, at)
    if (typeof item === 'object' && item !== null) visit(item, at)
  }
  if (list.length <= MOST_DENSE) for (let at = 0; at < list.length; at++) visitItem(at)
  else for (const key of Object.keys(list)) if (String(Number(key)) === key) visitItem(Number(key))
}

function visitField(value: object, key: string, visit: (part: object, key: string) => void): void {
  const part = ownField(value, key)
  if (typeof part === 'object' && part !== null) visit(part, key)
}

/** Returns an own property without running a getter. */
export function ownField(value: object, key: PathKey): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

/** Returns the JSON Pointer of a path. */
export function pointerOf(keys: readonly PathKey[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a JSON Pointer; undefined if there is none. */
export function partAt(value: unknown, pointer: string): unknown {
  return partIn(value, pointer, itemsOf)
}

/** Finds many parts of a value that does not change: the items of its maps and sets are listed once. */
export function partFinder(value: unknown): (pointer: string) => unknown {
  const known = new Map<object, readonly unknown[]>()
  const list: ListItems = of => {
    const items = known.get(of) ?? itemsOf(of)
    known.set(of, items)
    return items
  }
  return pointer => partIn(value, pointer, list)
}

type Collection = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
type ListItems = (of: Collection) => readonly unknown[]

const itemsOf: ListItems = of => (of instanceof Map ? [...of].flat() : [...(of as ReadonlySet<unknown>)])

function partIn(value: unknown, pointer: string, list: ListItems): unknown {
  let at = value
  for (const key of keysOf(pointer)) {
    if (typeof at !== 'object' || at === null) return undefined
    at = at instanceof Map || at instanceof Set ? list(at)[Number(key)] : ownField(at, key)
  }
  return at
}

/** Replaces the object at a JSON Pointer in place, unless there is none. */
export function replacePart(value: unknown, pointer: string, part: object): void {
  const end = pointer.lastIndexOf('/')
  const [key = ''] = keysOf(pointer.slice(end))
  const parent = partAt(value, pointer.slice(0, end))
  if (typeof parent !== 'object' || parent === null || partAt(parent, pointer.slice(end)) === undefined)
    return
  if (parent instanceof Map) {
    const flat = [...parent].flat().with(Number(key), part)
    parent.clear()
    for (let at = 0; at < flat.length; at += 2) parent.set(flat[at], flat[at + 1])
  } else if (parent instanceof Set) {
    const items = [...parent].with(Number(key), part)
    parent.clear()
    for (const item of items) parent.add(item)
  } else if (Object.getOwnPropertyDescriptor(parent, key)?.enumerable === false) {
    Object.defineProperty(parent, key, { value: part })
  } else {
    setOwn(parent as { [key: string]: unknown }, key, part)
  }
}
