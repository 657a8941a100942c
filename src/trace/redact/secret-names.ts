// Recognizes names of secrets: of keys, fields, paths, events, headers, parameters and columns, in any spelling.

/**
 * `always`: any text with this name, and numbers of more than two digits. `opaque`: only text that looks like a token.
 * `code`: only the digits of a one-time code.
 */
export type SecretName = 'always' | 'opaque' | 'code'

/** Names in other languages are compared without accents and marks. */
const withoutMarks = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ı', 'i')

/** Words for a password in other languages, found anywhere in a name. */
const FOREIGN =
  'contraseny?a|passwort|kennwort|motdepasse|senha|wachtwoord|losenord|adgangskode|salasana|passord|salasona|jelszo|lozinka|' +
  `katasandi|matkhau|parola(?![a-z])|haslo(?![a-z])|heslo(?![a-z])|sifre(?![a-z])|${withoutMarks(
    'парол|密码|密碼|口令|パスワード|暗証番号|暗号鍵|비밀번호|암호|סיסמ|كلمةالسر|كلمةالمرور|رمزعبور|รหัสผ่าน|पासवर्ड|κωδικ|гасло|құпиясөз',
  )}`

/** Found anywhere in a name without its separators, so in `userpassword` and `X-Api-Key` alike. */
const PARTS = new RegExp(
  'pass(?:word|wd|phrase|code|wrd)(?!less)|passwor[dt](?!less)|pswd|secret(?!ar)|credential|' +
    '(?:private|priv|signing|encryption|decryption|cipher|crypto|master|servicerole|service|anon|publishable|api|app|access|' +
    'account|shared|ssh|gpg|pgp|session|license|auth|vault|wallet|database|db|client|consumer|customer|host|root|admin|' +
    'deploy|hmac|jwt|webhook|activation|subscription|storageaccount)key(?!board)|' +
    '(?:auth|access|refresh|provider|bearer|id|session|security|captcha|recovery|confirmation|private|remember|reset|oauth)token|' +
    'tokenhash|hashedtoken|codeverifier|oauthverifier|mnemonic|(?:seed|recovery|backup|wallet)(?:phrase|words?)|' +
    'connectionstring|connstr|connectionur[il]|(?:database|db|redis|mongo(?:db)?|postgres|pg|mysql|amqp|jdbc)ur[il]|' +
    '(?:recovery|backup)code|authori[sz]ation|setcookie|keypair|csrf|xsrf|saml(?:response|assertion)|' +
    '(?:magic|action|recovery|reset|invite|confirmation|verification)link|securityanswer|secretanswer|kubeconfig|' +
    `(?:db|database|user|key|root|admin|smtp|imap|mail|mysql|pg|postgres|redis|ftp|ssh|store|trust|login|new|old)(?:pass|pw)$|${FOREIGN}`,
)

const kinds = (words: string, kind: SecretName) => words.split(' ').map(word => [word, kind] as const)

/** As whole words. */
const WORDS: ReadonlyMap<string, SecretName> = new Map([
  ...kinds(
    'pass pwd pw passw psw pword mdp cookie cookies nonce ticket dsn cred creds psk xprv bearer otc pin otp totp hotp cvc cvv cvn csc ssn',
    'always',
  ),
  ...kinds('token tokens auth session jwt sig signature pat hmac sid iban oauth clave', 'opaque'),
])

/** Names that are recognized as a whole, before the words that describe a secret. */
const WHOLE: readonly (readonly [RegExp, SecretName])[] = [
  // `code` alone is mostly an error code.
  [
    /(?:mfa|otp|totp|auth|authorization|verification|security|recovery|backup|confirmation|reset|sms|email|access|login|signin|twofactor|2fa|passkey|onetime|device|invite|invitation|unlock|pairing|activation|door|pin)codes?$/,
    'always',
  ],
  [
    /(?:card|cc|credit|pan|socialsecurity)(?:number|num|no)$|^(?:cc(?:csc|cvc|cvv)|cardcode|creditcard)$/,
    'always',
  ],
  [/sess(?:ion)?id$|servicerole$/, 'opaque'],
]

/**
 * A name that ends in one of these describes a secret but contains none: `tokenId`, `passwordLength`,
 * `secret_name`.
 */
const ABOUT = new Set(
  (
    'id ids type types kind name names count counts number total length size min max minimum maximum policy rule rules ' +
    'strength state status phase step stage at in expires expiry expired expiration exp ttl age lifetime issued created ' +
    'updated changed date time timeout timestamp until since enabled disabled required needed valid validity verified ' +
    'hidden visible visibility shown strategy method mode provider source scope scopes algorithm alg format version label ' +
    'placeholder title path storage endpoint event position limit used left remaining budget ' +
    'role level owner user index lag life seconds ms found missing refused rejected ended'
  ).split(' '),
)

/** These describe a token, but may quote a password: `passwordError`. */
const QUOTING = new Set('error errors message problem reason'.split(' '))

/** Harmless names that the rules would match, without separators. */
const PLAIN: ReadonlySet<string> = new Set(['cookieconsent', 'publickeycredential'])

const MOST_LETTERS = 120
const MOST_KNOWN = 4_000

/** Remembers what was found for a name; names may come from outside in unlimited number. */
function remembered<T>(find: (name: string) => T): (name: string) => T {
  let known = new Map<string, { readonly found: T }>()
  return name => {
    const found = known.get(name)
    if (found) return found.found
    if (known.size >= MOST_KNOWN) known = new Map()
    const entry = { found: find(name) }
    known.set(name, entry)
    return entry.found
  }
}

/** Returns the kind of secret that a name indicates; undefined for a harmless name. */
export const secretName = remembered((name): SecretName | undefined => {
  if (name === 'code') return 'code'
  const words = wordsOf(name.slice(-MOST_LETTERS))
  const last = words.at(-1)
  const squashed = words.join('')
  if (last === undefined || PLAIN.has(squashed)) return undefined
  const whole = WHOLE.find(([pattern]) => pattern.test(squashed))
  if (whole) return whole[1]
  if (ABOUT.has(last)) return undefined
  const kind = kindOf(words)
  return kind === 'opaque' && QUOTING.has(last) ? undefined : kind
})

/** The kind of secret that the words of an event's type contain: of `SET_PASSWORD` or `field/pin/changed`. */
const kindInType = remembered((type): SecretName | undefined => {
  const words = wordsOf(type.slice(-MOST_LETTERS))
  const kind = kindOf(words)
  // What follows the name of the field is what happened to it.
  for (let end = words.length; kind === undefined && end > 0; end--) {
    const found = secretName(words.slice(0, end).join(' '))
    if (found) return found
  }
  return kind
})

export function secretInType(type: string): SecretName | undefined {
  return type.startsWith('xstate.') || type.length > MOST_LETTERS ? undefined : kindInType(type)
}

/** The kind of secret at the end of a path to a field: `user.password`, `/credentials/0/secret`. */
const kindAtPath = remembered((path): SecretName | undefined => secretInSteps(path.split(/[./[\]'"#>\s]+/)))

const PATH = /^[\p{L}\p{M}\d_$.[\]'"/#>~ -]+$/u

export function secretAtPath(path: string): SecretName | undefined {
  return path.length > MOST_LETTERS || !PATH.test(path) ? undefined : (secretName(path) ?? kindAtPath(path))
}

/** Everything below a secret's name is secret; a token's name counts only at the end. */
export function secretInSteps(path: readonly unknown[]): SecretName | undefined {
  const names = path.filter(step => typeof step === 'string' && /\p{L}/u.test(step)) as string[]
  while (names.length > 1 && isValueName(names.at(-1) ?? '')) names.pop()
  const last = secretName(names.at(-1) ?? '')
  if (last) return last
  return names.some(name => secretName(name) === 'always') ? 'always' : undefined
}

function kindOf(words: readonly string[]): SecretName | undefined {
  const squashed = words.join('')
  const byWord = words.map(word => WORDS.get(word)).filter(kind => kind !== undefined)
  if (PARTS.test(squashed) || byWord.includes('always')) return 'always'
  return byWord[0] ?? (words.at(-1)?.endsWith('token') ? 'opaque' : undefined)
}

/**
 * `userPassword`, `USER_PASSWORD` and `user-password` are split into user and password; digits are dropped.
 */
function wordsOf(name: string): string[] {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  const isLatin = /^[\0-\x7f]*$/.test(spaced)
  return (isLatin ? spaced : withoutMarks(spaced))
    .toLowerCase()
    .split(isLatin ? /[^a-z]+/ : /[^\p{L}]+/u)
    .filter(word => word !== '')
}

/** Normalizes a name for comparison with the app's keys: case, `_` and `-` make no difference. */
export function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

const VALUE_WORDS = new Set(
  (
    'value values val v next text input typed entered new old prev previous before after to from payload data content raw ' +
    'current initial default draft body detail args arg params arguments answer string str changed updater output result'
  ).split(' '),
)

/** Whether a member with this name contains what its owner is about: `value`, `newValue`, `payload`. */
export const isValueName = remembered(name => VALUE_WORDS.has(wordsOf(name).at(-1) ?? ''))

const QUOTES = new Set('error errors message messages received issue issues constraints text hint'.split(' '))

/** Whether a member with this name may quote a value: `errorMessage`. */
export const mayQuote = remembered(name => QUOTES.has(wordsOf(name).at(-1) ?? ''))

/** Whether a member with this name describes its owner and has no content: `type`, `label`, `expires_at`. */
export const isDescription = remembered(name => ABOUT.has(wordsOf(name).at(-1) ?? '') || name === 'field')

/** A plain identifier, such as a state name: redacted under its key, but not searched elsewhere. */
export const WORD = /^[a-z]{1,15}(?:[A-Z][a-z]{1,10})?$/

/** Whether a value may be a token rather than a word or a short number. */
export function looksOpaque(value: string): boolean {
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
  if (place === 'query' && value !== '' && (name === 'key' || name === 'code') && !FILTER.test(value))
    return true
  return isSecretText(secretName(name), value, place)
}

/** Whether a value with a name of this kind is a secret. */
export function isSecretText(
  kind: SecretName | undefined,
  value: string,
  place: NamePlace = 'text',
): boolean {
  if (value === '' || kind === undefined) return false
  // SQLSTATEs and error names are also called `code`, and have other formats than a one-time code.
  if (kind === 'code') return place !== 'number' && /^\d{6,10}$/.test(value)
  if (place === 'number') return kind !== 'opaque' && value.length > 2
  if (place === 'query' && !FILTER.test(value)) return true
  return kind !== 'opaque' || looksOpaque(value.replace(FILTER, ''))
}

/** The operator before the value of a REST filter. */
const FILTER = /^(?:not\.)?(?:n?eq|[gl]te?|i?like|i?match|isdistinct|in|is)\./
