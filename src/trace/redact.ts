// Redaction: replaces secrets by numbered pseudonyms, so that equal secrets stay equal and nothing can be read.
import { PSEUDONYM, WORD, createSecrets, secretKeys } from './secrets.ts'
import type { RedactionPolicy } from './secrets.ts'
import { ActorReference, MAX_DEPTH, Opaque, errorExtras, isPlain, makeError, setOwn } from './values.ts'

/** Name of the rules below, written into every file. */
export const REDACTION_POLICY = 'keys-and-values-1'

/** In the place of a key, for what bytes say: they name no actors. */
const BYTES = ' bytes'

/** Replaces secrets. Values without any come back as they are, and redacting twice changes nothing more. */
export interface Redactor {
  readonly value: <T>(value: T) => T
  readonly text: (text: string) => string
  /** Makes a secret known by its value, wherever it turns up from now on. */
  readonly register: (secret: string) => void
  /** Calls back with each secret that becomes known, and what takes its place: what left before may hold it. */
  readonly onLearn: (listener: (secret: string, pseudonym: string) => void) => () => void
}

export interface RedactorOptions {
  /** Rules of the app beside those that are built in. */
  readonly policy?: RedactionPolicy | undefined
  /** Gives an object another form before it is looked at; `undefined` leaves it. */
  readonly replace?: (object: object) => unknown
  /** Rewrites every string before secrets are looked for. */
  readonly rewrite?: (text: string) => string
}

/** Creates a redactor with its own numbering. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { policy } = options
  const secrets = createSecrets(policy)
  const isSecretKey = secretKeys(policy)
  let cache = new WeakMap<object, unknown>()
  const text = (raw: string, key = '') =>
    secrets.hide(
      key === BYTES ? raw : (options.rewrite?.(raw) ?? raw),
      key === 'type' && !raw.startsWith('xstate.'),
    )
  const listeners = new Set<(secret: string, pseudonym: string) => void>()
  const learn = (secret: string) => {
    if (!secrets.know(secret)) return
    cache = new WeakMap()
    for (const listener of listeners) listener(secret, secrets.pseudonym(secret))
  }
  const isHidden = hiddenBy(policy)
  const hidden = (value: unknown): string => {
    if (typeof value !== 'string') return secrets.pseudonym(typeof value)
    if (!WORD.test(value)) learn(value)
    return secrets.pseudonym(value)
  }
  const visit = (value: unknown, key: string, above: object[]): unknown => {
    if (isHidden?.(key, value)) return hidden(value)
    if (typeof value === 'string') {
      if (!isSecretKey(key, value) || value === '') return text(value, key)
      const bare = /^(?:bearer|basic)\s+(.+)$/i.exec(value)?.[1] ?? value
      if (PSEUDONYM.test(bare)) return value
      if (!WORD.test(bare)) learn(bare)
      return value.replace(bare, () => secrets.pseudonym(bare))
    }
    if (typeof value !== 'object' || value === null) return value
    const known = cache.get(value)
    if (known !== undefined) return known
    if (above.includes(value)) return new Opaque('cycle')
    if (above.length >= MAX_DEPTH) return new Opaque('deep')
    const at = cache
    above.push(value)
    const form = options.replace?.(value) ?? value
    const result = rebuild(form, text, (item, name) => visit(item, name, above))
    above.pop()
    if (at === cache) cache.set(value, result)
    return result
  }
  return {
    value: <T>(value: T): T => {
      const first = visit(value, '', [])
      return (secrets.settled() ? first : visit(first, '', [])) as T
    },
    text,
    register: learn,
    onLearn(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A rule that fails hides; what is hidden already is left. */
function hiddenBy({ hide }: RedactionPolicy = {}): ((key: string, value: unknown) => boolean) | undefined {
  return (
    hide &&
    ((key, value) => {
      if (key === '' || value === undefined || value === '') return false
      if (typeof value === 'string' && PSEUDONYM.test(value)) return false
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

/** The same object when nothing in it changed, else a copy in plain form. */
function rebuild(value: unknown, text: HideText, visit: Visit): unknown {
  if (typeof value !== 'object' || value === null) return visit(value, '')
  if (isPlain(value)) return rebuildPlain(value, text, visit)
  if (value instanceof ActorReference) {
    const path = text(value.path)
    return path === value.path ? value : new ActorReference(path)
  }
  if (value instanceof Opaque || value instanceof Date) return value
  if (value instanceof ArrayBuffer) return rebuildBytes(value, new Uint8Array(value), text)
  if (ArrayBuffer.isView(value))
    return rebuildBytes(value, new Uint8Array(value.buffer, value.byteOffset, value.byteLength), text)
  if (value instanceof URL) return text(value.href)
  if (value instanceof Error) return rebuildError(value, text, visit)
  if (Array.isArray(value))
    return keep(
      value,
      Array.from(value, item => visit(item, '')),
    )
  if (value instanceof Set) {
    const items = [...value]
    const next = items.map(item => visit(item, ''))
    return same(items, next) ? value : new Set(next)
  }
  if (value instanceof Map) return rebuildMap(value, visit)
  return rebuildPlain(value, text, visit)
}

/** Bytes may be text, which may hold a secret: then nothing of them is left but their number. */
function rebuildBytes<T extends object>(value: T, bytes: Uint8Array, text: HideText): T {
  const said = new TextDecoder().decode(bytes)
  if (text(said, BYTES) === said) return value
  const { buffer } = new Uint8Array(bytes.length).fill(0x2a)
  if (value instanceof ArrayBuffer) return buffer as unknown as T
  const Kind = value.constructor as new (buffer: ArrayBuffer) => T
  return new Kind(buffer)
}

function keep(before: unknown[], after: unknown[]): unknown[] {
  return same(before, after) ? before : after
}

function same(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.every((item, at) => Object.is(item, after[at]))
}

function rebuildMap(value: Map<unknown, unknown>, visit: Visit): unknown {
  const flat = [...value].flat()
  const next = [...value].flatMap(([key, item]) => [
    visit(key, ''),
    visit(item, typeof key === 'string' ? key : ''),
  ])
  if (same(flat, next)) return value
  return new Map(next.flatMap((key, at) => (at % 2 === 0 ? [[key, next[at + 1]] as const] : [])))
}

function rebuildPlain(value: object, text: HideText, visit: Visit): unknown {
  let changed = false
  const out: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) {
    const item: unknown = Reflect.get(value, key)
    const [name, next] = [text(key), visit(item, key)]
    changed ||= name !== key || !Object.is(item, next)
    setOwn(out, name, next)
  }
  return changed ? out : value
}

function rebuildError(error: Error, text: HideText, visit: Visit): Error {
  const extras = errorExtras(error)
  const next = extras.map(([key, item]): [string, unknown] => [text(key), visit(item, key)])
  const [name, message] = [text(error.name), text(error.message)]
  const cause = Object.hasOwn(error, 'cause') ? { value: visit(error.cause, 'cause') } : undefined
  const unchanged =
    name === error.name &&
    message === error.message &&
    text(error.stack ?? '') === (error.stack ?? '') &&
    same(extras.flat(), next.flat()) &&
    Object.is(cause?.value, error.cause)
  if (unchanged) return error
  const out = makeError(name, message, cause)
  for (const [key, item] of next)
    Object.defineProperty(out, key, { value: item, enumerable: true, configurable: true, writable: true })
  return out
}
