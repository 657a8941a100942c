// What counts as a secret, and the pseudonyms that take its place.

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
export const WORD = /^[a-z]{1,15}(?:[A-Z][a-z]{1,10})?$/

export const PSEUDONYM = /^\[redacted:\d+\]$/

const PATTERNS: readonly RegExp[] = [
  /()(eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*)/g,
  /()(\bsb_(?:secret|publishable)_[\w-]+)/g,
  /(\b(?:bearer|basic)\s+)([\w.~+/=-]{8,})/gi,
  /([?&#;](?:token|apikey|api_key|code|password|access_token|refresh_token|provider_token|provider_refresh_token|token_hash|id_token|secret|otp|signature)=)([^&#\s"'[\]]+)/gi,
]

/** Whether a string under this key is a secret. */
export function isSecretKey(key: string, text: string): boolean {
  const plain = key.replaceAll(/[_-]/g, '').toLowerCase()
  if (SECRET_KEYS.has(plain)) return true
  return plain === 'token' && text.length >= 6 && /\d/.test(text)
}

/** The secrets that are known by their value. */
export interface Secrets {
  know(secret: string): boolean
  pseudonym(secret: string): string
  /** `byPatternOnly` spares names of events, which a known secret must not change. */
  hide(text: string, byPatternOnly: boolean): string
  /** False once after something was learnt, since values seen before may hold it. */
  settled(): boolean
}

/** Starts with no secret known; pseudonyms are numbered in the order of their first use. */
export function createSecrets(): Secrets {
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
