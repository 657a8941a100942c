// Decides what counts as a secret, and assigns pseudonyms.
import { hideFormats } from './secret-formats.ts'
import { isSecretUnder, plainName, type NamePlace } from './secret-names.ts'

/** Shorter secrets are only redacted under their key: they would match inside ordinary words. */
const MIN_KNOWN = 8

export const PSEUDONYM = /^\[redacted:\d+\]$/

/** An app's additions to the rules for finding secrets. */
export interface RedactionPolicy {
  /** Additional keys whose values are secrets; case, `_` and `-` make no difference. */
  readonly keys?: readonly string[]
  /** Secrets in text: each match is redacted completely. */
  readonly patterns?: readonly RegExp[]
  /** Keys whose values are not secrets, although their names match. */
  readonly allow?: readonly string[]
  /** Whether the value of this key is a secret, of any type; called for every value that is written. */
  readonly hide?: (key: string, value: unknown) => boolean
}

/** Returns the part of a policy that a trace can contain; a file may contain anything. */
export function policyOf({
  keys,
  allow,
}: {
  readonly keys?: unknown
  readonly allow?: unknown
}): RedactionPolicy {
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter(item => typeof item === 'string') : [])
  return { keys: texts(keys), allow: texts(allow) }
}

/** Recognizes secrets by their keys. */
export type IsSecretKey = (key: string, text: string, place?: NamePlace) => boolean

/** Applies the app's additions. */
export function secretKeys({ keys = [], allow = [] }: RedactionPolicy = {}): IsSecretKey {
  const known = new Set(keys.map(plainName))
  const allowed = new Set(allow.map(plainName))
  return (key, text, place) => {
    if (key === '') return false
    const plain = known.size + allowed.size === 0 ? '' : plainName(key)
    if (allowed.has(plain)) return false
    return (known.has(plain) && place !== 'number') || isSecretUnder(key, text, place)
  }
}

/** The secrets known by value. */
export interface Secrets {
  know(secret: string): boolean
  pseudonym(secret: string): string
  /** `byPatternOnly` protects event names, which a known secret must not change. */
  hide(text: string, byPatternOnly: boolean): string
  /** False once after a new secret was learned, since values seen before may contain it. */
  settled(): boolean
}

/** Starts without known secrets; pseudonyms are numbered in the order of their first use. */
export function createSecrets(policy: RedactionPolicy = {}): Secrets {
  const { patterns = [], keys = [] } = policy
  const isSecretKey = secretKeys(policy)
  const own = patterns.map(
    ({ source, flags }) => new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
  )
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
      const forms = longestFirst.flatMap(one => [...new Set([one, encodeURIComponent(one.toWellFormed())])])
      finder = new RegExp(
        forms.map(one => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
        'g',
      )
      fresh = true
      return true
    },
    hide(text, byPatternOnly) {
      if (text.length < 6 && own.length === 0) return text
      let out =
        finder && !byPatternOnly
          ? text.replace(finder, found => pseudonym(known.has(found) ? found : decodeURIComponent(found)))
          : text
      for (const pattern of own)
        out = out.replace(pattern, secret => (secret === '' ? '' : pseudonym(secret)))
      return hideFormats(out, pseudonym, isSecretKey, keys.length > 0)
    },
    settled() {
      const was = !fresh
      fresh = false
      return was
    },
  }
}
