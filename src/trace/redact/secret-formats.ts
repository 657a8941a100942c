// Finds secrets in any text, by their format or by the preceding name. Each expression takes linear time.
import { isPublicPrefix } from './stand-ins.ts'
import type { NamePlace } from './secret-names.ts'

const { raw } = String

/**
 * Formats of well-known issuers; what follows the last unbounded repetition is optional, or cannot be
 * skipped.
 */
const FORMATS = new RegExp(
  [
    // Supabase
    raw`sb_(?:secret|publishable)_[\w-]+`,
    raw`sbp_[\w-]{16,}`,
    // Payment, code hosts, registries
    raw`(?:sk|rk)_(?:live|test|prod)_[\w-]{8,}`,
    raw`whsec_[\w+/=-]{16,}`,
    raw`gh[pousr]_[A-Za-z0-9]{20,}`,
    raw`github_pat_\w{20,}`,
    raw`gl(?:pat|ptt|dt|rt|soat|cbt)-[\w.-]{16,}`,
    raw`(?:npm|pypi|dckr_pat|rubygems|hf|gsk|figd|lin_api|dop_v1|doo_v1|shpat|shpss|shpca|shppa|sntrys|sntryu|pscale_tkn|re|api_org|nfp|vercel|atlasv1)_[\w-]{20,}`,
    raw`pypi-[\w-]{20,}`,
    // Clouds, chat, mail, models
    raw`(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}`,
    raw`AIza[\w-]{35}`,
    raw`ya29\.[\w-]{20,}`,
    raw`GOCSPX-[\w-]{20,}`,
    raw`xox[abeoprs]-[\w-]{10,}`,
    raw`xapp-[\w-]{10,}`,
    raw`hooks\.slack\.com/services/[\w/]{20,}`,
    raw`SG\.[\w-]{16,64}\.[\w-]{16,}`,
    raw`key-[0-9a-f]{32}`,
    raw`SK[0-9a-f]{32}`,
    raw`sk-[\w-]{20,}`,
    raw`xai-[\w-]{20,}`,
    raw`hv[sb]\.[\w-]{20,}`,
    raw`PMAK-[\w-]{20,}`,
    raw`sq0[a-z]{3}-[\w-]{20,}`,
    raw`\d{8,10}:AA[\w-]{33}`,
    // Keys and hashes of passwords
    raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
    raw`\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}`,
    raw`\$argon2(?:id|i|d)\$[\w+/=$,.-]{20,}`,
  ]
    .join('|')
    // Matches only at the start of a word; a preceding escape sequence is not part of it.
    .replace(/^.*$/, all => raw`(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}|\\[nrt]))(?:${all})`),
  'g',
)

/** Up to its end, or to the end of a truncated text. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,60}-----|$)/g

/** Base64URL characters from a position on. */
const LETTERS = /[\w-]*/y

function endOfLetters(text: string, at: number): number {
  LETTERS.lastIndex = at
  LETTERS.test(text)
  return LETTERS.lastIndex
}

/** Redacts JWTs: three parts separated by dots, the last of which may be empty. Reads each character once. */
function hideJwts(text: string, hide: Hide): string {
  let out = ''
  let copied = 0
  for (let at = text.indexOf('eyJ'); at >= 0;) {
    const head = endOfLetters(text, at)
    let end = head
    if (head - at >= 8 && text[head] === '.') {
      const body = endOfLetters(text, head + 1)
      if (body - head > 5 && text[body] === '.') end = endOfLetters(text, body + 1)
    }
    if (end > head) {
      out += text.slice(copied, at) + hide(text.slice(at, end))
      copied = end
    }
    at = text.indexOf('eyJ', end)
  }
  return copied === 0 ? text : out + text.slice(copied)
}

const SCHEMES = /\b(?:bearer|basic)(?:\s{1,8}|%20|\+)([\w.~+/=-]{8,})/gi

/** The password in a URL: up to the last `@` before its path. */
const USER_INFO = /:\/\/[^\s/?#:@]{0,256}:([^\s/?#]{1,512})@/g

/** The same inside another URL. */
const USER_INFO_ENCODED =
  /%3A%2F%2F(?:[^\s%]|%(?!3A|2F|40)){0,256}%3A((?:[^\s%&]|%(?!2F|3F|23|40)){1,512})%40/gi

/** `?name=value`, `NAME=value`: in URLs, also encoded inside others, forms, cookies and settings. */
const ASSIGNED =
  /(?:(?<=([?&#;]|%3[Ff]|%26|%23|%3[Bb]))|(?<![\w.%-]))([A-Za-z_][\w.-]{0,63})(?:\[\]|%5[Bb]%5[Dd])?(?:=|%3[Dd])(?:"([^"\s]{0,512})"?|((?:[^?&#;,\s"'<>[\]()%]|%(?!3[Ff]|26|23|3[Bb])|\?(?![A-Za-z_][\w.-]{0,63}=))+))/g

/**
 * `"name": "value"`; the value may be a number. In JSON within JSON, more backslashes precede each quote: as
 * many as before the first quote of the value end it, and an escape sequence in it has one more, doubled.
 */
const QUOTED =
  /["']([A-Za-z_][\w.-]{0,63})\\{0,127}["']\s{0,8}:\s{0,8}(?:(\\{0,127})"((?:[^"\\]|(?:\2\\){2}|\2\\\2"|(?!\2")\\+)+)|(\d{3,}))/g

/** `name.op.value`, in the logic trees of REST filters. */
const FILTERED =
  /(?:(?<![\w.%-])|(?<=%28|%2C))([A-Za-z_][\w-]{0,63})\.(?:not\.)?(?:n?eq|[gl]te?|i?like|i?match|in|is|isdistinct|cs|cd|fts|plfts|phfts|wfts)(?:\((?:any|all)\))?\.(?:"([^"]*)|\(([^)]*)|([^,)&\s"']+))/g

/** `Name: value` of headers in a text. */
const HEADER =
  /(?<![\w-])((?:[A-Za-z]{1,32}-){1,4}[A-Za-z0-9]{1,32}|authorization|cookie):[ \t]{0,4}([^\s"',;][^\r\n"']*)/gi

/** Fast path: most texts contain no part of any secret name. */
const STEMS =
  /pass|pwd|secret|token|cred|key|auth|session|cookie|sig|pin|otp|cv[cvn]|ssn|jwt|pat|hmac|sid|bearer|nonce|ticket|dsn|mnemonic|phrase|connection|database|code|verifier/i

type Hide = (secret: string) => string
type IsSecret = (name: string, value: string, place: NamePlace) => boolean

/** Replaces every secret in a text that is recognized by its format, or by its name. */
export function hideFormats(text: string, hide: Hide, isSecret: IsSecret, hasOwnNames: boolean): string {
  let out = text
  const inside = (all: string, secret: string) => replaceIn(all, secret, hide)
  // Texts repeat themselves: the last match is often found again.
  let lastAll = ''
  let lastValue = ''
  let lastResult = ''
  const under = (all: string, name: string, value: string, place: NamePlace = 'text'): string => {
    if (all !== lastAll || value !== lastValue) {
      lastResult = isSecret(name, value, place) ? replaceIn(all, value, hide) : all
      lastAll = all
      lastValue = value
    }
    return lastResult
  }
  out = hideJwts(out, hide)
  if (out.includes('-----BEGIN ')) out = out.replace(PRIVATE_KEY, hide)
  if (/[-_.$:]|A[KSBCI]|SK/.test(out)) out = out.replace(FORMATS, hide)
  if (/(?:bearer|basic)(?:\s|%20|\+)/i.test(out)) out = out.replace(SCHEMES, inside)
  if (out.includes('://')) out = out.replace(USER_INFO, inside)
  if (out.includes('%40')) out = out.replace(USER_INFO_ENCODED, inside)
  // Without these there is no name of a value, and looking for stems in a long text takes long.
  if (!/[=:.]|%3/.test(out)) return out
  if (!hasOwnNames && !STEMS.test(out)) return out
  if (out.includes('=') || out.includes('%3'))
    out = out.replace(
      ASSIGNED,
      (all: string, mark: string | undefined, name: string, quoted?: string, bare: string = '') =>
        under(
          all,
          name.slice(name.lastIndexOf('.') + 1),
          quoted ?? bare,
          mark === undefined ? 'text' : 'query',
        ),
    )
  if (out.includes(':')) {
    out = out.replace(QUOTED, (all: string, name: string, _: unknown, value?: string, digits: string = '') =>
      under(all, name, value ?? digits, value === undefined ? 'number' : 'text'),
    )
    out = out.replace(HEADER, under)
  }
  if (/\.(?:n?eq|[gl]te?|i?like|i?match|is|isdistinct|in|cs|cd|w?fts|plfts|phfts)[.(]/.test(out))
    out = out.replace(
      FILTERED,
      (all: string, name: string, quoted?: string, list?: string, bare: string = '') =>
        under(all, name, quoted ?? list ?? bare),
    )
  return out
}

/** Already redacted values are kept. */
function replaceIn(all: string, secret: string, hide: Hide): string {
  if (secret === '' || secret.includes('[redacted:') || /\.redacted-\d/.test(secret)) return all
  // A stand-in may begin with it.
  if (isPublicPrefix(secret)) return all
  const at = all.lastIndexOf(secret)
  return all.slice(0, at) + hide(secret) + all.slice(at + secret.length)
}
