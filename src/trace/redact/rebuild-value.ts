// Rebuilds objects of every kind without their secrets; returns the same object if nothing in it changed.
import { makeWebValue, type WebContent, webContent } from '../codec/web-values.ts'
import {
  ActorReference,
  Opaque,
  errorExtras,
  errorText,
  isArray,
  isPlain,
  lookup,
  makeError,
  readField,
  setOwn,
  unwritable,
} from '../codec/values.ts'
import { isHeaderSecret } from './plain-headers.ts'
import { isHiddenWhole, isWithin, NAMELESS, type Names, secrecy, type Secrecy } from './secrecy.ts'
import { looksOpaque } from './secret-names.ts'

/** Used instead of a key for the text of bytes: it contains no actor names. */
export const BYTES = ' bytes'

/** What rebuilding needs from the redactor. */
export interface Rebuilding {
  readonly names: Names
  readonly text: (raw: string, key?: string) => string
  readonly visit: (item: unknown, key: string, inherited?: Secrecy) => unknown
  /** Returns the pseudonym of a secret, which is hidden everywhere from now on. */
  readonly hide: (secret: string) => string
}

/** Returns the same object if nothing in it changed, otherwise a copy of the same type. */
export function rebuild(value: object, inherited: Secrecy | undefined, to: Rebuilding): unknown {
  if (isPlain(value))
    return isSnapshot(value) ? rebuildSnapshot(value, inherited, to) : rebuildPlain(value, inherited, to)
  if (value instanceof ActorReference) {
    const path = to.text(value.path)
    return path === value.path ? value : new ActorReference(path)
  }
  if (value instanceof Opaque) {
    const name = to.text(value.name)
    return name === value.name ? value : new Opaque(value.kind, name)
  }
  if (value instanceof Date) return value
  if (value instanceof ArrayBuffer) return rebuildBytes(value, new Uint8Array(value), inherited, to)
  if (ArrayBuffer.isView(value))
    return rebuildBytes(
      value,
      new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
      inherited,
      to,
    )
  const web = webContent(value)
  if (web) return rebuildWeb(value, web, inherited, to)
  if (value instanceof Error) return rebuildError(value, inherited, to)
  if (isArray(value)) return rebuildList(value, inherited, to)
  if (value instanceof Set) {
    const items = [...Set.prototype.values.call(value)]
    const next = items.map(item => to.visit(item, '', to.names.ofItem(inherited)))
    return same(items, next) ? value : new Set(next)
  }
  if (value instanceof Map) return rebuildMap(value, inherited, to)
  return rebuildPlain(value, inherited, to)
}

/** Bytes that replace a secret: its pseudonym as far as there is room, so that equal secrets stay equal. */
const HIDDEN_BYTES = /^(?:\[redacted:\d{1,15}\])?\**$/
const STAR = 0x2a

/** Bytes may be a secret, or text with one: then only their length is kept. */
function rebuildBytes<T extends object>(
  value: T,
  bytes: Uint8Array,
  inherited: Secrecy | undefined,
  to: Rebuilding,
): T {
  const { length } = bytes
  if (length === 0) return value
  const decoded = new TextDecoder().decode(bytes)
  if (HIDDEN_BYTES.test(decoded)) return value
  // Texts in UTF-16 are recognized by their letters alone.
  const letters = decoded.includes('\0') ? decoded.replaceAll('\0', '') : decoded
  const isSecret = isWithin(inherited) && inherited.kind !== 'code'
  if (!isSecret && to.text(decoded, BYTES) === decoded && to.text(letters, BYTES) === letters) return value
  const filled = new Uint8Array(length).fill(STAR)
  const name = isSecret ? to.hide(letters.includes('\ufffd') ? `bytes ${bytes.join()}` : letters) : ''
  if (name.length <= length) filled.set(new TextEncoder().encode(name))
  const { buffer } = filled
  if (value instanceof ArrayBuffer) return buffer as unknown as T
  if (value.constructor.name === 'Buffer') return filled as unknown as T
  const Kind = value.constructor as new (buffer: ArrayBuffer) => T
  return new Kind(buffer)
}

/** An URL whose text is a secret as a whole, or cannot be one without its secrets. */
const HIDDEN_URL = 'redacted:'

function rebuildWeb(
  value: object,
  { tag, text: raw, pairs = [] }: WebContent,
  inherited: Secrecy | undefined,
  to: Rebuilding,
): unknown {
  if (raw !== undefined) {
    if (raw.startsWith(HIDDEN_URL)) return value
    if (!isHiddenWhole(inherited)) {
      const hidden = to.text(raw)
      if (hidden === raw) return value
      const made = webOr(tag, hidden, undefined)
      // Another text could not be recognized as redacted.
      if (made && to.text(webContent(made)?.text ?? '') === webContent(made)?.text) return made
    }
    return tag === 'url' ? webOr(tag, HIDDEN_URL + to.hide(raw), value) : to.hide(raw)
  }
  const hidden = pairs.map(([name, item]): [string, string] => {
    const isSecret =
      isHiddenWhole(inherited) ||
      (tag === 'headers' ? isHeaderSecret(name, item) : to.names.isQuerySecret(name, item))
    return [to.text(name), String(to.visit(item, name, isSecret ? secrecy('always', 'value') : undefined))]
  })
  if (same(pairs.flat(), hidden.flat())) return value
  return webOr(tag, hidden, hidden)
}

function webOr<T>(tag: string, content: unknown, other: T): object | T {
  try {
    return makeWebValue(tag, content)
  } catch {
    return other
  }
}

/** A longer list, possibly sparse, could not be written. */
const MAX_LENGTH = 2 ** 23

/** Longest list that may be the arguments of a function such as `setValue('password', 'x', options)`. */
const MOST_ARGUMENTS = 4

function rebuildList(
  list: readonly unknown[],
  inherited: Secrecy | undefined,
  { names, visit }: Rebuilding,
): unknown {
  const { length } = list
  if (length > MAX_LENGTH) return new Opaque('unwritable', `a list of ${length} items`)
  const out: unknown[] = []
  const below = names.ofItem(inherited) ?? aboutFirst(list, names)
  const isPair = length === 2
  const isCall =
    length > 2 && length <= MOST_ARGUMENTS && list.slice(2).every(item => typeof item !== 'string')
  for (let at = 0; at < length; at++) {
    const item: unknown = list[at]
    const before: unknown =
      at === 0 || inherited === NAMELESS || isHiddenWhole(inherited) ? undefined : list[at - 1]
    const mayBeNamed =
      at === 1 ? isPair || isCall || isNoName(item) : typeof before === 'string' && isNoName(item)
    // A list of lists has entries; only something else can be next to a path.
    const isNone = typeof before === 'string' ? /\s/.test(before) : isArray(item)
    const kind = mayBeNamed && before !== undefined && !isNone ? names.ofName(before) : undefined
    const isName = isPair && at === 1 && typeof before === 'string'
    out.push(visit(item, isName ? before : '', secrecy(kind, 'value') ?? below))
  }
  return same(list, out) ? list : out
}

/** What the first of a few objects is about, such as the properties of a field before its state. */
function aboutFirst(list: readonly unknown[], names: Names): Secrecy | undefined {
  const [first] = list
  if (list.length < 2 || list.length > MOST_ARGUMENTS || typeof first !== 'object' || first === null)
    return undefined
  const about = lookup(() => (isPlain(first) ? names.about(first, Object.keys(first), undefined) : undefined))
  return about?.place === 'field' ? about : undefined
}

/** Whether an item of a list cannot be the name of a field, like its neighbor. */
const isNoName = (item: unknown) => typeof item === 'string' && !/^[\p{L}_$][\p{L}_$.-]*$/u.test(item)

function same(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.every((item, at) => Object.is(item, after[at]))
}

function rebuildMap(
  value: Map<unknown, unknown>,
  inherited: Secrecy | undefined,
  { names, visit }: Rebuilding,
): unknown {
  const entries = [...Map.prototype.entries.call(value)]
  const flat = entries.flat()
  const about = isWithin(inherited) ? undefined : inherited
  const next = entries.flatMap(([key, item]) => {
    const name = typeof key === 'string' ? key : ''
    const isSecretKey = isHiddenWhole(inherited) && looksOpaque(name) && names.ofName(name) === undefined
    const named = names.ofMember(name, inherited, about)
    const byPath = isWithin(named) || named === NAMELESS ? named : secrecy(names.ofName(key), 'value')
    return [
      visit(key, '', isSecretKey ? secrecy('always', 'value') : undefined),
      visit(item, name, byPath ?? named),
    ]
  })
  if (same(flat, next)) return value
  return new Map(next.flatMap((key, at) => (at % 2 === 0 ? [[key, next[at + 1]] as const] : [])))
}

function rebuildPlain(value: object, inherited: Secrecy | undefined, to: Rebuilding): unknown {
  return rebuildMembers(value, inherited, to.names.about(value, Object.keys(value), inherited), to)
}

function rebuildMembers(
  value: object,
  inherited: Secrecy | undefined,
  about: Secrecy | undefined,
  { names, text, visit }: Rebuilding,
): unknown {
  let changed = false
  const out: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) {
    let item: unknown
    try {
      item = Reflect.get(value, key)
    } catch (error) {
      item = unwritable(error, text)
      changed = true
    }
    const [name, next] = [text(key), visit(item, key, names.ofMember(key, inherited, about))]
    changed ||= name !== key || !Object.is(item, next)
    setOwn(out, name, next)
  }
  return changed ? out : value
}

/** Whether this is a machine's snapshot: the keys of its state value are state names. */
function isSnapshot(value: object): boolean {
  return 'status' in value && 'value' in value && 'context' in value
}

/** Names of states and actors are no names of secrets. */
function rebuildSnapshot(value: object, inherited: Secrecy | undefined, to: Rebuilding): unknown {
  const childrenOf = (children: object) =>
    rebuildMembers(children, undefined, undefined, { ...to, visit: item => to.visit(item, '') })
  const visit: Rebuilding['visit'] = (item, key, secret) => {
    if (key === 'status' || (key === 'value' && isStateValue(item))) return item
    if (key === 'children' && typeof item === 'object' && item !== null && isPlain(item))
      return childrenOf(item)
    return to.visit(item, key, key === 'historyValue' ? undefined : secret)
  }
  return rebuildMembers(value, inherited, undefined, { ...to, visit })
}

/** Charts do not nest deeper, and an object may contain itself. */
const MOST_LEVELS = 50

function isStateValue(value: unknown, level = 0): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || level > MOST_LEVELS || !isPlain(value)) return false
  return Object.values(value).every(inner => isStateValue(inner, level + 1))
}

function rebuildError(
  error: Error,
  inherited: Secrecy | undefined,
  { names, text, visit }: Rebuilding,
): Error {
  const extras = errorExtras(error)
  const about = names.about(error, Object.keys(error), inherited)
  const within = isWithin(inherited) ? names.ofItem(inherited) : undefined
  const secretOf = (key: string) => names.ofMember(key, inherited, about) ?? within
  const next = extras.map(([key, item]): [string, unknown] => [text(key), visit(item, key, secretOf(key))])
  const raw = errorText(error, 'message')
  const message = String(visit(raw, 'message', secretOf('message')))
  const stackOf = (stack: string) =>
    text(raw === message || raw === '' ? stack : stack.replaceAll(raw, () => message))
  const [name, stack] = [text(errorText(error, 'name')), stackOf(errorText(error, 'stack'))]
  const before = Object.hasOwn(error, 'cause') ? { value: readField(error, 'cause', text) } : undefined
  const cause = before && { value: visit(before.value, 'cause', secretOf('cause')) }
  const unchanged =
    name === errorText(error, 'name') &&
    message === raw &&
    stack === errorText(error, 'stack') &&
    same(extras.flat(), next.flat()) &&
    Object.is(cause?.value, before?.value)
  if (unchanged) return error
  const out = makeError(name, message, cause)
  for (const [key, item] of next)
    Object.defineProperty(out, key, { value: item, enumerable: true, configurable: true, writable: true })
  return out
}
