// Recognizes names of secrets: of keys, headers, parameters and columns, in any spelling.

/**
 * `always`: any text with this name. `opaque`: only text that looks like a token. `digits`: any text, and
 * numbers too.
 */
export type SecretName = 'always' | 'opaque' | 'digits'

/** Found anywhere in a name without its separators, so in `userpassword` and `X-Api-Key` alike. */
const PARTS =
  /pass(?:word|wd|phrase|code)|passwor[dt]|secret(?!ar)|credential|(?:private|signing|encryption|master|servicerole|service|anon|api|access|account|shared|ssh|session|license|auth)key|(?:auth|access|refresh|provider|bearer|id|session|security|captcha|recovery|confirmation|private|csrf|xsrf)token|tokenhash|hashedtoken|codeverifier|mnemonic|(?:seed|recovery)phrase|connectionstring|databaseur[il]|(?:recovery|backup)code|authorization|setcookie|keypair/

/** As whole words. */
const WORDS: ReadonlyMap<string, SecretName> = new Map([
  ...['pass', 'pwd', 'cookie', 'cookies', 'nonce', 'ticket', 'dsn'].map(word => [word, 'always'] as const),
  ...['pin', 'otp', 'totp', 'hotp', 'cvc', 'cvv', 'cvn', 'ssn'].map(word => [word, 'digits'] as const),
  ...['token', 'tokens', 'auth', 'session', 'jwt', 'sig', 'signature', 'pat', 'hmac', 'sid', 'bearer'].map(
    word => [word, 'opaque'] as const,
  ),
])

/** `code` alone is mostly an error code. */
const CODES =
  /^(?:mfa|otp|totp|auth|authorization|verification|security|recovery|backup|confirmation|reset|sms|access|login|signin|twofactor|2fa|passkey)codes?$/

/**
 * A name that ends in one of these describes a secret but contains none: `tokenId`, `passwordLength`,
 * `secret_name`.
 */
const ABOUT = new Set(
  (
    'id ids type types kind name names count counts number total length size min max minimum maximum policy rule rules ' +
    'strength state status phase step stage at in expires expiry expired expiration exp ttl age lifetime issued created ' +
    'updated changed date time timeout timestamp until since enabled disabled required needed valid validity verified ' +
    'hidden strategy method mode provider source scope scopes algorithm alg format version field label ' +
    'placeholder title message error errors problem reason path endpoint event position limit used left remaining budget ' +
    'role level owner user index lag life seconds ms found missing refused rejected ended'
  ).split(' '),
)

/** Harmless names that the rules would match, without separators. */
const PLAIN: ReadonlySet<string> = new Set(['cookieconsent', 'publickeycredential'])

const MOST_LETTERS = 120
const MOST_KNOWN = 2_000

let known = new Map<string, SecretName | 'no'>()

/** Returns the kind of secret that a name indicates; undefined for a harmless name. */
export function secretName(name: string): SecretName | undefined {
  let found = known.get(name)
  if (found === undefined) {
    found = classified(name) ?? 'no'
    // Names may come from outside in unlimited number.
    if (known.size >= MOST_KNOWN) known = new Map()
    known.set(name, found)
  }
  return found === 'no' ? undefined : found
}

function classified(name: string): SecretName | undefined {
  const words = wordsOf(name.slice(-MOST_LETTERS))
  const last = words.at(-1)
  const squashed = words.join('')
  if (last === undefined || ABOUT.has(last) || PLAIN.has(squashed)) return undefined
  const byWord = words.map(word => WORDS.get(word)).filter(kind => kind !== undefined)
  if (byWord.includes('digits') || CODES.test(squashed)) return 'digits'
  if (PARTS.test(squashed) || byWord.includes('always'))
    return /pass(?:word|code)/.test(squashed) ? 'digits' : 'always'
  return byWord[0]
}

/**
 * `userPassword`, `USER_PASSWORD` and `user-password` are split into user and password; digits are dropped.
 */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '')
}

/** Normalizes a name for comparison with the app's keys: case, `_` and `-` make no difference. */
export function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

/** A plain identifier, such as a state name: redacted under its key, but not searched elsewhere. */
export const WORD = /^[a-z]{1,15}(?:[A-Z][a-z]{1,10})?$/

/** Whether a value may be a token rather than a word or a short number. */
function looksOpaque(value: string): boolean {
  return (
    value.length >= 6 &&
    !/^\s|\s$/.test(value) &&
    (/\d/.test(value) || (value.length >= 20 && !/[\s.]/.test(value)))
  )
}

/** The position of a name: before a text, before a number, or in the query of a URL. */
export type NamePlace = 'text' | 'number' | 'query'

/** Whether a value with this name is a secret; numbers are passed as their digits. */
export function isSecretUnder(name: string, value: string, place: NamePlace = 'text'): boolean {
  const kind = secretName(name)
  if (value === '') return false
  if (place === 'number') return kind === 'digits' && value.length > 2
  if (place === 'query' && !FILTER.test(value)) return kind !== undefined || name === 'key' || name === 'code'
  // SQLSTATEs and error names are also called `code`, and have other formats than a one-time code.
  if (kind === undefined) return name === 'code' && /^\d{6,10}$/.test(value)
  return kind !== 'opaque' || looksOpaque(value.replace(FILTER, ''))
}

/** The operator before the value of a REST filter. */
const FILTER = /^(?:not\.)?(?:n?eq|[gl]te?|i?like|i?match|isdistinct|in|is)\./
