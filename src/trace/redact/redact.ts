// Redaction: replaces secrets by numbered pseudonyms, so that equal secrets stay equal but cannot be read.
import { Listeners } from '../listeners.ts'
import { createSecrets, type RedactionPolicy, secretKeys } from './secrets.ts'
import { isStandIn, type StandIn } from './stand-ins.ts'
import { WORD } from './secret-names.ts'
import { isPlainHeader } from './plain-headers.ts'
import { makeWebValue, type WebContent, webContent } from '../codec/web-values.ts'
import {
  ActorReference,
  MAX_DEPTH,
  Opaque,
  errorExtras,
  errorText,
  functionName,
  isPlain,
  makeError,
  readField,
  setOwn,
  unwritable,
} from '../codec/values.ts'

/** Name of the rules below, written to every file. */
export const REDACTION_POLICY = 'keys-and-values-1'

/** Used instead of a key for the text of bytes: it contains no actor names. */
const BYTES = ' bytes'

/** A value that any secret name applies to. */
const LIKE_A_TOKEN = 'a1b2c3d4'

/** Replaces secrets. Values without secrets are returned unchanged, and redaction is idempotent. */
export interface Redactor {
  readonly value: <T>(value: T) => T
  readonly text: (text: string) => string
  /** Registers a secret value, which is redacted everywhere from now on. */
  readonly register: (secret: string) => void
  /** Reports each new secret and its pseudonym, since earlier output may contain it. */
  readonly onLearn: (listener: (secret: string, pseudonym: string) => void) => () => void
}

export interface RedactorOptions {
  /** The app's rules, in addition to the built-in ones. */
  readonly policy?: RedactionPolicy | undefined
  /** Creates replacements of the same form for tokens, so that code can look into them. */
  readonly standIn?: StandIn | undefined
  /** Replaces an object before it is redacted; `undefined` keeps it. */
  readonly replace?: (object: object) => unknown
  /** Rewrites every string before secrets are searched. */
  readonly rewrite?: (text: string) => string
}

/** Creates a redactor with its own numbering. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { policy } = options
  const secrets = createSecrets(policy, options.standIn)
  const isSecretKey = secretKeys(policy)
  let cache = new WeakMap<object, unknown>()
  const text = (raw: string, key = '') =>
    secrets.hide(
      key === BYTES ? raw : (options.rewrite?.(raw) ?? raw),
      key === 'type' && !raw.startsWith('xstate.'),
    )
  const listeners = new Listeners<[secret: string, pseudonym: string]>()
  const learn = (secret: string) => {
    if (!secrets.know(secret)) return
    cache = new WeakMap()
    listeners.notify(secret, secrets.pseudonym(secret))
  }
  const isHidden = hiddenBy(policy)
  const hidden = (value: unknown): string => {
    if (typeof value !== 'string') return secrets.pseudonym(typeof value)
    const name = secrets.pseudonym(value, true)
    if (!WORD.test(value)) learn(value)
    return name
  }
  const visit = (value: unknown, key: string, above: object[]): unknown => {
    if (isHidden?.(key, value)) return hidden(value)
    if (typeof value === 'string') {
      if (!isSecretKey(key, value) || value === '') return text(value, key)
      const bare = /^(?:bearer|basic)\s{1,8}(\S.*)$/i.exec(value)?.[1] ?? value
      if (isStandIn(bare)) return value
      if (!WORD.test(bare)) learn(bare)
      return value.replace(bare, () => secrets.pseudonym(bare))
    }
    if ((typeof value === 'number' || typeof value === 'bigint') && isSecretKey(key, String(value), 'number'))
      return secrets.pseudonym(String(value))
    if (typeof value === 'function') return rebuildName(value, 'function', functionName(value), text)
    if (typeof value === 'symbol') return rebuildName(value, 'symbol', value.description ?? '', text)
    if (typeof value !== 'object' || value === null) return value
    // A list of codes or cookies has no keys, so the list's key applies.
    const listKey = key !== '' && isSecretKey(key, LIKE_A_TOKEN) && isList(value) ? key : ''
    const known = listKey === '' ? cache.get(value) : undefined
    if (known !== undefined) return known
    if (above.includes(value)) return new Opaque('cycle')
    if (above.length >= MAX_DEPTH) return new Opaque('deep')
    const at = cache
    const depth = above.length
    above.push(value)
    const result = rebuilt(value, above, listKey)
    above.length = depth
    if (at === cache && listKey === '') cache.set(value, result)
    return result
  }
  const rebuilt = (value: object, above: object[], listKey: string): unknown => {
    try {
      const form = options.replace?.(value) ?? value
      return rebuild(form, text, (item, name) => visit(item, name, above), listKey)
    } catch (error) {
      return unwritable(error, text)
    }
  }
  return {
    value: <T>(value: T): T => {
      const first = visit(value, '', [])
      return (secrets.settled() ? first : visit(first, '', [])) as T
    },
    text,
    register: learn,
    onLearn: listeners.subscribe,
  }
}

/** If a custom rule throws, the value is redacted; values that are already redacted are kept. */
function hiddenBy({ hide }: RedactionPolicy = {}): ((key: string, value: unknown) => boolean) | undefined {
  return (
    hide &&
    ((key, value) => {
      if (key === '' || value === undefined || value === '') return false
      if (typeof value === 'string' && isStandIn(value)) return false
      try {
        return hide(key, value)
      } catch {
        return true
      }
    })
  )
}

type HideText = (raw: string, key?: string) => string
type Visit = (item: unknown, key: string) => unknown

/** Returns the same object if nothing in it changed, otherwise a plain copy. */
function rebuild(value: unknown, text: HideText, visit: Visit, listKey: string): unknown {
  if (typeof value !== 'object' || value === null) return visit(value, '')
  if (isPlain(value)) return rebuildPlain(value, text, isSnapshot(value) ? exceptState(visit) : visit)
  if (value instanceof ActorReference) {
    const path = text(value.path)
    return path === value.path ? value : new ActorReference(path)
  }
  if (value instanceof Opaque) return rebuildName(value, value.kind, value.name, text)
  if (value instanceof Date) return value
  if (value instanceof ArrayBuffer) return rebuildBytes(value, new Uint8Array(value), text)
  if (ArrayBuffer.isView(value))
    return rebuildBytes(value, new Uint8Array(value.buffer, value.byteOffset, value.byteLength), text)
  const web = webContent(value)
  if (web) return rebuildWeb(value, web, text, visit)
  if (value instanceof Error) return rebuildError(value, text, visit)
  if (Array.isArray(value)) return rebuildList(value, visit, listKey)
  if (value instanceof Set) {
    const items = [...Set.prototype.values.call(value)]
    const next = items.map(item => visit(item, ''))
    return same(items, next) ? value : new Set(next)
  }
  if (value instanceof Map) return rebuildMap(value, visit)
  return rebuildPlain(value, text, visit)
}

/** Functions, symbols and markers are written by name, and the reason of a marker quotes an error. */
function rebuildName(value: unknown, kind: Opaque['kind'], name: string, text: HideText): unknown {
  const hidden = text(name)
  return hidden === name ? value : new Opaque(kind, hidden)
}

/** Bytes may be text with a secret: then only their length is kept. */
function rebuildBytes<T extends object>(value: T, bytes: Uint8Array, text: HideText): T {
  const said = new TextDecoder().decode(bytes)
  if (text(said, BYTES) === said) return value
  const { buffer } = new Uint8Array(bytes.length).fill(0x2a)
  if (value instanceof ArrayBuffer) return buffer as unknown as T
  if (value.constructor.name === 'Buffer') return new Uint8Array(buffer) as unknown as T
  const Kind = value.constructor as new (buffer: ArrayBuffer) => T
  return new Kind(buffer)
}

/** If such an object is not valid without its secrets, it becomes its text or a list of pairs. */
function rebuildWeb(value: object, { tag, text: raw, pairs = [] }: WebContent, text: HideText, visit: Visit) {
  const hidden =
    raw !== undefined
      ? text(raw)
      : pairs.map(([name, item]) => [
          text(name),
          // Any header may contain a secret, unless it is known to have none.
          visit(item, tag === 'headers' && !isPlainHeader(name) ? 'authorization' : name),
        ])
  if (typeof hidden === 'string' ? hidden === raw : same(pairs.flat(), hidden.flat())) return value
  try {
    const made = makeWebValue(tag, hidden)
    const { text: written } = webContent(made) ?? {}
    // Another text could not be recognized as redacted.
    return raw === undefined || written === hidden ? made : hidden
  } catch {
    return hidden
  }
}

/** Whether this is a list; a revoked proxy counts as none. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** A longer list, possibly sparse, could not be written. */
const MAX_LENGTH = 2 ** 23

function rebuildList(list: unknown[], visit: Visit, listKey: string): unknown {
  const { length } = list
  if (length > MAX_LENGTH) return new Opaque('unwritable', `a list of ${length} items`)
  const out: unknown[] = []
  for (let at = 0; at < length; at++) out.push(visit(list[at], listKey))
  const [name, item] = list
  // Headers are often pairs of a name and a value.
  if (length === 2 && typeof name === 'string') out[1] = visit(visit(item, name), listKey)
  return same(list, out) ? list : out
}

function same(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.every((item, at) => Object.is(item, after[at]))
}

function rebuildMap(value: Map<unknown, unknown>, visit: Visit): unknown {
  const entries = [...Map.prototype.entries.call(value)]
  const flat = entries.flat()
  const next = entries.flatMap(([key, item]) => [
    visit(key, ''),
    visit(item, typeof key === 'string' ? key : ''),
  ])
  if (same(flat, next)) return value
  return new Map(next.flatMap((key, at) => (at % 2 === 0 ? [[key, next[at + 1]] as const] : [])))
}

function rebuildPlain(value: object, text: HideText, visit: Visit): unknown {
  let changed = false
  const out: { [key: string]: unknown } = {}
  const named = nameIn(value)
  for (const key of Object.keys(value)) {
    let item: unknown
    try {
      item = Reflect.get(value, key)
    } catch (error) {
      item = unwritable(error, text)
      changed = true
    }
    const [name, next] = [text(key), visit(item, key === 'value' ? (named ?? key) : key)]
    changed ||= name !== key || !Object.is(item, next)
    setOwn(out, name, next)
  }
  return changed ? out : value
}

/** Recognizes `{ name: 'Cookie', value: … }`, a common form of headers and form fields. Runs no getter. */
function nameIn(value: object): string | undefined {
  const field = (key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value
  const name = field('name')
  return typeof name === 'string' && typeof field('value') === 'string' ? name : undefined
}

/** Whether this is a machine's snapshot: the keys of its state value are state names. */
function isSnapshot(value: object): boolean {
  return 'status' in value && 'value' in value && 'context' in value
}

const exceptState =
  (visit: Visit): Visit =>
  (item, key) =>
    key === 'value' && isStateValue(item) ? item : visit(item, key)

/** Charts do not nest deeper, and an object may contain itself. */
const MOST_LEVELS = 50

function isStateValue(value: unknown, level = 0): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || level > MOST_LEVELS || !isPlain(value)) return false
  return Object.values(value).every(inner => isStateValue(inner, level + 1))
}

const FIELDS = ['name', 'message', 'stack'] as const

function rebuildError(error: Error, text: HideText, visit: Visit): Error {
  const extras = errorExtras(error)
  const next = extras.map(([key, item]): [string, unknown] => [text(key), visit(item, key)])
  const [name, message, stack] = FIELDS.map(key => text(errorText(error, key)))
  const before = Object.hasOwn(error, 'cause') ? { value: readField(error, 'cause', text) } : undefined
  const cause = before && { value: visit(before.value, 'cause') }
  const unchanged =
    name === errorText(error, 'name') &&
    message === errorText(error, 'message') &&
    stack === errorText(error, 'stack') &&
    same(extras.flat(), next.flat()) &&
    Object.is(cause?.value, before?.value)
  if (unchanged) return error
  const out = makeError(name ?? '', message ?? '', cause)
  for (const [key, item] of next)
    Object.defineProperty(out, key, { value: item, enumerable: true, configurable: true, writable: true })
  return out
}
