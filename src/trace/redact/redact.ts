// Redaction: replaces secrets by numbered pseudonyms, so that equal secrets stay equal but cannot be read.
import { Listeners } from '../listeners.ts'
import { MAX_DEPTH, Opaque, functionName, unwritable } from '../codec/values.ts'
import { BYTES, rebuild, type Rebuilding } from './rebuild-value.ts'
import { isWithin, NAMELESS, Names, type Secrecy } from './secrecy.ts'
import { redactedJson } from './json-texts.ts'
import { mayNameSecret } from './secret-formats.ts'
import { isDescription, isSecretText, isValueName, mayQuote, WORD } from './secret-names.ts'
import { createSecrets, type RedactionPolicy, secretKeys } from './secrets.ts'
import { isStandIn, type StandIn } from './stand-ins.ts'

/** Name of the rules below, written to every file. */
export const REDACTION_POLICY = 'keys-and-values-1'

/** Replaces secrets. Values without secrets are returned unchanged, and redaction is idempotent. */
export interface Redactor {
  readonly value: <T>(value: T) => T
  readonly text: (text: string) => string
  /**
   * Replaces secrets in a value whose members have the names of states and actors, such as a chart: a name hides nothing
   * in it.
   */
  readonly nameless: <T>(value: T) => T
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

/** Results by what a value inherits, and by object. */
type Results = Map<Secrecy | undefined, WeakMap<object, unknown>>

/** Creates a redactor with its own numbering. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { policy } = options
  const secrets = createSecrets(policy, options.standIn)
  const keys = secretKeys(policy)
  const names = new Names(keys)
  let results: Results = new Map()
  const text = (raw: string, key = ''): string => {
    const isType = key === 'type' && !raw.startsWith('xstate.')
    const json = !isType && (hasOwnKeys || mayNameSecret(raw)) ? redactedJson(raw, ofJson) : undefined
    return secrets.hide(json ?? (key === BYTES ? raw : (options.rewrite?.(raw) ?? raw)), isType)
  }
  const ofJson = (value: unknown) => visit(value, '', undefined, [])
  const hasOwnKeys = (policy?.keys ?? []).length > 0 || policy?.hide !== undefined
  const listeners = new Listeners<[secret: string, pseudonym: string]>()
  const learn = (secret: string) => {
    if (!secrets.know(secret)) return
    results = new Map()
    listeners.notify(secret, secrets.pseudonym(secret))
  }
  /** Names of fields, and texts that may quote a secret, are hidden elsewhere only as a whole. */
  const hide = (secret: string, isPart: boolean): string => {
    if (isPart && secret.length >= MIN_PART && keys.kindOf(secret) === undefined) learn(secret)
    else if (secrets.knowWhole(secret)) results = new Map()
    return secrets.pseudonym(secret)
  }
  const isHidden = hiddenBy(policy)
  const hidden = (value: unknown): string => {
    if (typeof value !== 'string') return secrets.pseudonym(typeof value)
    const name = secrets.pseudonym(value, true)
    if (!WORD.test(value)) learn(value)
    return name
  }
  const visitText = (value: string, key: string, inherited: Secrecy | undefined): string => {
    if (!isSecretHere(value, key, inherited)) return text(value, key)
    const bare = /^(?:bearer|basic)\s{1,8}(\S.*)$/i.exec(value)?.[1] ?? value
    if (isStandIn(bare)) return value
    const isPart = !WORD.test(bare) && !mayQuote(key) && !(inherited?.place === 'below' && isDescription(key))
    const name = hide(bare, isPart)
    return value.replace(bare, () => name)
  }
  const isSecretHere = (value: string, key: string, inherited: Secrecy | undefined): boolean => {
    if (!isWithin(inherited) || value === '') return false
    if (inherited.place === 'value') return isSecretText(inherited.kind, value)
    return !isDescription(key) || !(WORD.test(value) || names.ofName(value) !== undefined)
  }
  const visit = (value: unknown, key: string, inherited: Secrecy | undefined, above: object[]): unknown => {
    if (isHidden?.(key, value)) return hidden(value)
    switch (typeof value) {
      case 'string':
        return visitText(value, key, inherited)
      case 'number':
      case 'bigint':
        return isSecretNumber(String(value), key, inherited) ? secrets.pseudonym(String(value)) : value
      case 'function': {
        const name = functionName(value)
        const next = text(name)
        return next === name ? value : new Opaque('function', next)
      }
      case 'symbol': {
        const name = value.description ?? ''
        const next = visitText(name, key, inherited)
        return next === name ? value : new Opaque('symbol', next)
      }
      default:
        return typeof value === 'object' && value !== null ? visitObject(value, key, inherited, above) : value
    }
  }
  const visitObject = (
    value: object,
    key: string,
    inherited: Secrecy | undefined,
    above: object[],
  ): unknown => {
    const known = results.get(inherited)?.get(value)
    if (known !== undefined) return known
    if (above.includes(value)) return new Opaque('cycle')
    if (above.length >= MAX_DEPTH) return new Opaque('deep')
    const at = results
    const depth = above.length
    above.push(value)
    const result = rebuilt(value, key, inherited, above)
    above.length = depth
    if (at === results) {
      const ofThese = results.get(inherited) ?? new WeakMap<object, unknown>()
      results.set(inherited, ofThese.set(value, result))
    }
    return result
  }
  const rebuilt = (value: object, key: string, inherited: Secrecy | undefined, above: object[]): unknown => {
    const rebuilding: Rebuilding = {
      names,
      text,
      visit: (item, name, secret) => visit(item, name, secret, above),
      hide: secret => hide(secret, true),
    }
    try {
      const isBoxed = Object.prototype.toString.call(value) === '[object String]'
      const form = options.replace?.(value) ?? (isBoxed ? String.prototype.toString.call(value) : value)
      if (typeof form === 'object' && form !== null) return rebuild(form, inherited, rebuilding)
      const next = visit(form, key, inherited, above)
      return isBoxed && next === form ? value : next
    } catch (error) {
      return unwritable(error, text)
    }
  }
  const redacted = (value: unknown, inherited: Secrecy | undefined) => {
    const first = visit(value, '', inherited, [])
    return secrets.settled() ? first : visit(first, '', inherited, [])
  }
  return {
    value: <T>(value: T) => redacted(value, undefined) as T,
    nameless: <T>(value: T) => redacted(value, NAMELESS) as T,
    text,
    register: learn,
    onLearn: listeners.subscribe,
  }
}

/** Shorter secrets would match inside ordinary words. */
const MIN_PART = 8

/** Below a name, small numbers are counts unless they are items or values. */
function isSecretNumber(digits: string, key: string, inherited: Secrecy | undefined): boolean {
  if (!isWithin(inherited)) return false
  if (inherited.place === 'value') return isSecretText(inherited.kind, digits, 'number')
  if (isDescription(key) || /^(?:NaN|-?Infinity)$/.test(digits)) return false
  return digits.length > 2 || key === '' || /\d$/.test(key) || isValueName(key)
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
