// Values as source code, as a test's author would write them.
import { ActorReference, Opaque } from '../codec/values.ts'
import { webContent } from '../codec/web-values.ts'
import { jsKey, jsString } from './code-text.ts'

/** A value that source code cannot express; tests that need it must be completed by hand. */
export class Unsayable extends Error {
  override name = 'Unsayable'
}

const WIDTH = 90

/** Formats an expression; long ones span several lines, indented by this many spaces. @throws Unsayable */
export function literal(value: unknown, indent = 0): string {
  if (isLarger(value, { left: MOST }))
    throw new Unsayable(`it contains a value of more than ${MOST.toLocaleString('en')} parts`)
  const flat = expression(value, ' ', '')
  if (flat.length + indent <= WIDTH) return flat
  return expression(value, `\n${' '.repeat(indent + 2)}`, `\n${' '.repeat(indent)}`, indent + 2)
}

/** Maximum number of parts of a value in a test. An object may occur in a value any number of times. */
const MOST = 10_000

function isLarger(value: unknown, count: { left: number }): boolean {
  count.left -= 1
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return count.left < 0
  const items: readonly unknown[] =
    value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value)
  return count.left < 0 || items.some(item => isLarger(item, count))
}

/** The same; undefined for what source code cannot express. */
export function sayable(value: unknown, indent = 0): string | undefined {
  try {
    return literal(value, indent)
  } catch (error) {
    if (error instanceof Unsayable) return undefined
    throw error
  }
}

function expression(value: unknown, open: string, close: string, indent?: number): string {
  const inner = (item: unknown) => (indent === undefined ? expression(item, ' ', '') : literal(item, indent))
  switch (typeof value) {
    case 'string':
      return jsString(value)
    case 'bigint':
      return `${value}n`
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      return value === null ? 'null' : ofObject(value, inner, open, close)
    default:
      throw new Unsayable(`it contains a ${typeof value}`)
  }
}

function ofObject(value: object, inner: (item: unknown) => string, open: string, close: string): string {
  if (value instanceof ActorReference)
    throw new Unsayable(`it contains a reference to the actor ${value.path}`)
  if (value instanceof Opaque) throw new Unsayable(`it contains a ${value.kind}`)
  const listed = (items: readonly string[], [left, right]: readonly [string, string]) =>
    items.length === 0
      ? left + right
      : `${left}${open}${items.join(`,${open}`)}${close === '' ? ' ' : `,${close}`}${right}`
  const list = (items: readonly string[]) =>
    items.length === 0 ? '[]' : close === '' ? `[${items.join(', ')}]` : listed(items, ['[', ']'])
  if (Array.isArray(value)) return list(Array.from(value, inner))
  if (value instanceof Date) return `new Date(${inner(value.toJSON() ?? NaN)})`
  const web = webContent(value)
  if (web) return web.tag === 'regexp' ? String(web.text) : `new ${web.name}(${inner(web.text ?? web.pairs)})`
  if (value instanceof Map) return `new Map(${list([...value].map(pair => inner(pair)))})`
  if (value instanceof Set) return `new Set(${list([...value].map(inner))})`
  if (value instanceof Error) return ofError(value, inner)
  if (value instanceof ArrayBuffer) return `new Uint8Array(${inner([...new Uint8Array(value)])}).buffer`
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return value instanceof Uint8Array
      ? `new Uint8Array(${inner([...bytes])})`
      : `new ${value.constructor.name}(new Uint8Array(${inner([...bytes])}).buffer)`
  }
  return listed(
    Object.entries(value).map(([key, item]) => `${jsKey(key)}: ${inner(item)}`),
    ['{', '}'],
  )
}

function ofError(error: Error, inner: (item: unknown) => string): string {
  const extras = Object.entries(error).filter(([key]) => !['name', 'message', 'stack', 'cause'].includes(key))
  const named = error.name === 'Error' ? extras : [['name', error.name] as const, ...extras]
  const made = `new Error(${inner(error.message)})`
  return named.length === 0 ? made : `Object.assign(${made}, ${inner(Object.fromEntries(named))})`
}
