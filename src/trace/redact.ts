// Redaction: replaces secrets by numbered pseudonyms, so that equal secrets stay equal and nothing can be read.
import { ActorReference, MAX_DEPTH, Opaque, errorExtras, makeError, setOwn } from './values.ts'

/** Name of the rules below, written into every file. */
export const REDACTION_POLICY = 'keys-and-values-1'

/** Replaces secrets. Values without any come back as they are, and redacting twice changes nothing more. */
export interface Redactor {
  value<T>(value: T): T
  text(text: string): string
  /** Makes a secret known by its value, wherever it turns up from now on. */
  register(secret: string): void
}

export interface RedactorOptions {
  /** Gives an object another form before it is looked at; `undefined` leaves it. */
  readonly replace?: (object: object) => unknown
  /** Rewrites every string before secrets are looked for. */
  readonly rewrite?: (text: string) => string
}

const SECRET_KEYS = new Set(
  (
    'password newpassword currentpassword passphrase accesstoken refreshtoken providertoken providerrefreshtoken ' +
    'idtoken apikey xapikey authorization proxyauthorization cookie setcookie otp tokenhash hashedtoken secret ' +
    'clientsecret jwtsecret codeverifier servicerolekey anonkey emailotp privatekey captchatoken recoverytoken ' +
    'confirmationtoken nonce ticket'
  ).split(' '),
)

/** Shorter secrets are only hidden under their key: they would be found inside ordinary words. */
const MIN_KNOWN = 8

/** A plain identifier under a secret's key is hidden there, but not hunted for in event names and messages. */
const WORD = /^[a-z]{1,15}(?:[A-Z][a-z]{1,10})?$/

const PSEUDONYM = /^\[redacted:\d+\]$/

const PATTERNS: readonly RegExp[] = [
  /()(eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*)/g,
  /()(\bsb_(?:secret|publishable)_[\w-]+)/g,
  /(\b(?:bearer|basic)\s+)([\w.~+/=-]{8,})/gi,
  /([?&#;](?:token|apikey|api_key|code|password|access_token|refresh_token|provider_token|provider_refresh_token|token_hash|id_token|secret|otp|signature)=)([^&#\s"'[\]]+)/gi,
]

/** Whether a string under this key is a secret. */
function isSecretKey(key: string, text: string): boolean {
  const plain = key.replaceAll(/[_-]/g, '').toLowerCase()
  if (SECRET_KEYS.has(plain)) return true
  return plain === 'token' && text.length >= 6 && /\d/.test(text)
}

/** Creates a redactor with its own numbering. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const secrets = createSecrets()
  let cache = new WeakMap<object, unknown>()
  const text = (raw: string, key = '') =>
    secrets.hide(options.rewrite?.(raw) ?? raw, key === 'type' && !raw.startsWith('xstate.'))
  const learn = (secret: string) => {
    if (secrets.know(secret)) cache = new WeakMap()
  }
  const visit = (value: unknown, key: string, above: object[]): unknown => {
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
  }
}

interface Secrets {
  know(secret: string): boolean
  pseudonym(secret: string): string
  /** `byPatternOnly` spares names of events, which a known secret must not change. */
  hide(text: string, byPatternOnly: boolean): string
  /** False once after something was learnt, since values seen before may hold it. */
  settled(): boolean
}

function createSecrets(): Secrets {
  const numbers = new Map<string, number>()
  const known = new Set<string>()
  let finder: RegExp | undefined
  let fresh = false
  const pseudonym = (secret: string) => {
    if (PSEUDONYM.test(secret)) return secret
    const number = numbers.get(secret) ?? numbers.size + 1
    numbers.set(secret, number)
    return `[redacted:${number}]`
  }
  return {
    pseudonym,
    know(secret) {
      if (secret.length < MIN_KNOWN || PSEUDONYM.test(secret) || known.has(secret)) return false
      known.add(secret)
      const longestFirst = [...known].sort((a, b) => b.length - a.length)
      const forms = longestFirst.flatMap(one => [...new Set([one, encodeURIComponent(one)])])
      finder = new RegExp(
        forms.map(one => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
        'g',
      )
      fresh = true
      return true
    },
    hide(text, byPatternOnly) {
      if (text.length < 6) return text
      let out =
        finder && !byPatternOnly
          ? text.replace(finder, found => pseudonym(known.has(found) ? found : decodeURIComponent(found)))
          : text
      for (const pattern of PATTERNS) {
        out = out.replace(pattern, (_all, before: string, secret: string) => before + pseudonym(secret))
      }
      return out
    },
    settled() {
      const was = !fresh
      fresh = false
      return was
    },
  }
}

type Visit = (item: unknown, key: string) => unknown

/** The same object when nothing in it changed, else a copy in plain form. */
function rebuild(value: unknown, text: (raw: string) => string, visit: Visit): unknown {
  if (typeof value !== 'object' || value === null) return visit(value, '')
  if (value instanceof ActorReference) {
    const path = text(value.path)
    return path === value.path ? value : new ActorReference(path)
  }
  if (
    value instanceof Opaque ||
    value instanceof Date ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  )
    return value
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

function rebuildPlain(value: object, text: (raw: string) => string, visit: Visit): unknown {
  const entries = Object.entries(value)
  const next = entries.map(([key, item]): [string, unknown] => [text(key), visit(item, key)])
  if (same(entries.flat(), next.flat())) return value
  const out: { [key: string]: unknown } = {}
  for (const [key, item] of next) setOwn(out, key, item)
  return out
}

function rebuildError(error: Error, text: (raw: string) => string, visit: Visit): Error {
  const extras = errorExtras(error)
  const next = extras.map(([key, item]): [string, unknown] => [text(key), visit(item, key)])
  const message = text(String(error.message))
  const cause = Object.hasOwn(error, 'cause') ? { value: visit(error.cause, 'cause') } : undefined
  const unchanged =
    message === error.message && same(extras.flat(), next.flat()) && Object.is(cause?.value, error.cause)
  if (unchanged) return error
  const out = makeError(String(error.name), message, cause)
  for (const [key, item] of next)
    Object.defineProperty(out, key, { value: item, enumerable: true, configurable: true, writable: true })
  return out
}
