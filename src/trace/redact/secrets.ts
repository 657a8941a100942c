// Decides what counts as a secret, and assigns pseudonyms.
import { hideFormats } from './secret-formats.ts'
import { isStandIn, type StandIn } from './stand-ins.ts'
import {
  isSecretText,
  isSecretUnder,
  plainName,
  secretAtPath,
  secretInType,
  secretName,
  WORD,
  type NamePlace,
  type SecretName,
} from './secret-names.ts'

/** Shorter secrets are only redacted under their key: they would match inside ordinary words. */
const MIN_KNOWN = 8

/** Shorter texts occur too often to be the same secret. */
const MIN_WHOLE = 4

/** An app's additions to the rules for finding secrets. */
export interface RedactionPolicy {
  /** Additional keys whose values are secrets; case, `_` and `-` make no difference. */
  readonly keys?: readonly string[]
  /** Secrets in text: each match is redacted completely. */
  readonly patterns?: readonly RegExp[]
  /** Keys whose values are not secrets, although their names match. */
  readonly allow?: readonly string[]
  /**
   * Claims of JWTs that may be seen, in addition to `exp`, `iat`, `nbf`, `role` and `aal`: machine code that reads
   * them from a recorded token is replayed with them.
   */
  readonly claims?: readonly string[]
  /** False replaces tokens by numbers only, so that machine code that looks into them cannot be replayed. */
  readonly standIns?: boolean
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
export interface SecretKeys {
  /** The kind of secret that a name, a path or the type of an event indicates. */
  kindOf(name: string, as?: 'name' | 'path' | 'type'): SecretName | undefined
  /** Whether the app declared the values of this key as harmless. */
  isAllowed(name: string): boolean
  isSecret(name: string, text: string, place?: NamePlace): boolean
}

/** Applies the app's additions. */
export function secretKeys({ keys = [], allow = [] }: RedactionPolicy = {}): SecretKeys {
  const known = new Set(keys.map(plainName))
  const allowed = new Set(allow.map(plainName))
  const isAllowed = (name: string) => allowed.size > 0 && allowed.has(plainName(name))
  const isKnown = (name: string) => known.size > 0 && known.has(plainName(name))
  return {
    isAllowed,
    kindOf(name, as = 'name') {
      if (name === '' || isAllowed(name)) return undefined
      if (isKnown(name)) return 'always'
      if (as === 'name') return secretName(name)
      const steps = as === 'path' ? name.split(/[^\w$-]+/) : [name]
      if (steps.some(isKnown)) return 'always'
      if (allowed.has(plainName(steps.at(-1) ?? ''))) return undefined
      return as === 'path' ? secretAtPath(name) : secretInType(name)
    },
    isSecret(name, text, place) {
      if (name === '' || isAllowed(name)) return false
      return isKnown(name) ? isSecretText('always', text, place) : isSecretUnder(name, text, place)
    },
  }
}

/** The secrets known by value. */
export interface Secrets {
  know(secret: string): boolean
  /** A text that is hidden elsewhere only where it is the whole text: it may occur in other texts. */
  knowWhole(secret: string): boolean
  /** Returns what replaces the secret. `isWhole` hides its form, too, here and everywhere else. */
  pseudonym(secret: string, isWhole?: boolean): string
  /** `byPatternOnly` protects event names, which a known secret must not change. */
  hide(text: string, byPatternOnly: boolean): string
  /** False once after a new secret was learned, since values seen before may contain it. */
  settled(): boolean
}

/**
 * Starts without known secrets; pseudonyms are numbered in the order of their first use. `standIn` gives them the
 * form of the secret.
 */
export function createSecrets(policy: RedactionPolicy = {}, standIn?: StandIn): Secrets {
  const { patterns = [], keys = [], claims, standIns = true } = policy
  const { isSecret } = secretKeys(policy)
  const own = patterns.map(
    ({ source, flags }) => new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
  )
  const names = new Map<string, string>()
  const known = new Set<string>()
  const wholes = new Set<string>()
  let finder: RegExp | undefined
  let fresh = false
  const pseudonym = (secret: string, isWhole = false) => {
    if (isStandIn(secret)) return secret
    const known = names.get(secret)
    if (known !== undefined) return known
    const number = names.size + 1
    const name = standIn && standIns && !isWhole ? standIn(secret, number, claims) : `[redacted:${number}]`
    names.set(secret, name)
    return name
  }
  return {
    pseudonym,
    know(secret) {
      if (secret.length < MIN_KNOWN || isStandIn(secret) || known.has(secret)) return false
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
    knowWhole(secret) {
      if (secret.length < MIN_WHOLE || WORD.test(secret) || isStandIn(secret) || wholes.has(secret))
        return false
      wholes.add(secret)
      fresh = true
      return true
    },
    hide(text, byPatternOnly) {
      if (!byPatternOnly && wholes.has(text)) return pseudonym(text)
      if (text.length < 6 && own.length === 0) return text
      let out =
        finder && !byPatternOnly
          ? text.replace(finder, found => pseudonym(known.has(found) ? found : decodeURIComponent(found)))
          : text
      for (const pattern of own)
        out = out.replace(pattern, secret => (secret === '' ? '' : pseudonym(secret, true)))
      return hideFormats(out, secret => pseudonym(secret), isSecret, keys.length > 0)
    },
    settled() {
      const was = !fresh
      fresh = false
      return was
    },
  }
}
