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
    raw`dapi[0-9a-f]{32}`,
    raw`SK[0-9a-f]{32}`,
    raw`sk-[\w-]{20,}`,
    raw`xai-[\w-]{20,}`,
    raw`[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,}`,
    raw`mfa\.[\w-]{20,}`,
    raw`discord(?:app)?\.com/api/webhooks/\d{1,20}/[\w-]{20,}`,
    raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}`,
    raw`(?:ntn|secret|rnd|glc|glsa|lsv2_pt|lsv2_sk|sgp|ops|r8|shippo_live|cfut|cfat|tfp|EAACEdEose0cBA)_[\w-]{24,}`,
    raw`(?:tskey|nvapi|pplx|CFPAT|ATATT3|pat-na1|pat-eu1|lin_oauth|ghu|dapi)-?[\w-]{28,}`,
    raw`1//0[\w-]{20,}`,
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
      // An encrypted one has five parts, of which the second may be empty.
      else if (text[body] === '.' && body === head + 1) end = endOfLetters(text, body + 1)
      for (let part = 4; end > head && part <= 5 && text[end] === '.'; part++) {
        const next = endOfLetters(text, end + 1)
        if (next === end + 1) break
        end = next
      }
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
  /(?:(?<=([?&#;]|%3[Ff]|%26|%23|%3[Bb]))|(?<![\w.%-])|(?<=\s--?))([\p{L}_][\p{L}\w.-]{0,63})(?:\[\]|%5[Bb]%5[Dd])?(?:=|%3[Dd])(?:"([^"\n]{0,512})"|"([^"\s]{0,512})|'([^'\n]{0,512})'|((?:[^?&#;,\s"'<>[\]()%]|%(?!3[Ff]|26|23|3[Bb])|\?(?![A-Za-z_][\w.-]{0,63}=))+))/gu

/**
 * `"name": "value"`; the value may be a number. In JSON within JSON, more backslashes precede each quote: as
 * many as before the first quote of the value end it, and an escape sequence in it has one more, doubled.
 */
const QUOTED =
  /["']([\p{L}_][\p{L}\w.-]{0,63})\\{0,127}["']\s{0,8}:\s{0,8}(?:(\\{0,127})"((?:[^"\\]|(?:\2\\){2}|\2\\\2"|(?!\2")\\+)+)|(\d{3,}))/gu

/** `name.op.value`, in the logic trees of REST filters. */
const FILTERED =
  /(?:(?<![\p{L}\w.%-])|(?<=%28|%2C))([\p{L}_][\p{L}\w.-]{0,63}?)\.(?:not\.)?(?:n?eq|[gl]te?|i?like|i?match|in|is|isdistinct|cs|cd|fts|plfts|phfts|wfts)(?:\((?:any|all)\))?\.(?:"([^"]*)|\(([^)]*)|([^,)&\s"']+))/gu

/**
 * `name: value` of headers, YAML and prose, up to the end of the line or quotation, and the indented lines of a block.
 */
const LINE =
  /(?<![\p{L}\w.$-])(?!redacted:\d)([\p{L}_][\p{L}\w.-]{0,63})[ \t]{0,4}:(?!\/\/|:)[ \t]{0,8}(?:[|>][-+\d]{0,2}[ \t]{0,8}\n((?:[ \t]+[^\n]*(?:\n|$))+)|"([^"\n]{0,512})"|'([^'\n]{0,512})'|([^\s"',;{}[\]\\][^\r\n"'{}]*))/gu

/** `<name attribute="…">value<`, also of a CDATA section. */
const ELEMENT =
  /<(?:[\w-]{1,32}:)?([\p{L}_][\p{L}\w.-]{0,63})(?:\s[^<>]{0,512})?>(?:<!\[CDATA\[([^\]]{1,4096})|([^<]{1,4096}))/gu

/** `<key>name</key><string>value`. */
const KEY_ELEMENT = /<(?:key|name)>([^<>]{1,64})<\/(?:key|name)>\s{0,64}<[a-z]{1,16}>([^<]{1,4096})/gi

/** A tag with a `value` and the name of a field: `<input name="…" value="…">`. */
const TAG = /<[A-Za-z][^<>]{0,1024}>/g
const NAMING = /\s(?:name|key|id|type|autocomplete)\s{0,4}=\s{0,4}["']?([^"'\s<>]{1,64})/gi
const VALUE_ATTRIBUTE = /\svalue\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** `curl -u name:password`, and passwords as arguments of commands. */
const ARGUMENT =
  /(?<![\w-])(?:-u|-U|--user|--proxy-user|sshpass\s{1,4}-p)(?:\s{1,4}|=)["']?(?:[^\s:"']{0,128}:)?([^\s"']{1,512})/g
const OPTION =
  /(?<=\s)--?([A-Za-z][\w-]{0,63})\s{1,4}(?:"([^"\n]{1,512})"|'([^'\n]{1,512})'|(?!-)([^\s"']{1,512}))/g

/** `Name=value;` of connection strings, in which values may contain spaces. */
const SETTING = /(?<=^|;)\s{0,8}([A-Za-z][\w ]{0,40}?)\s{0,4}=\s{0,4}([^;"'\r\n]{1,512})/gm
const CONNECTION = /(?:server|data source|host|endpoint|accountname|user ?id|uid|dsn|database)\s{0,4}=/i

/** JSON in base64: it begins with an object or a list. */
const BASE64_JSON = /(?<![\w+/.-])(?:eyJ|eyA|ewo|ewk|ew0|W3s|WyJ|Wwo)[\w+/-]{13,}={0,2}(?![\w+/.=-])/g

/** Parts of a text that may be encoded as in URLs. */
const ENCODED = /[^\s"'<>&?#;]+/g
const MOST_ENCODINGS = 4

/** Fast path: most texts contain no part of any secret name. */
const STEMS =
  /pass|pwd?|ps[wk]|secret|token|cred|key|auth|session|cookie|sig|pin|ot[pc]|cv[cvn]|csc|ssn|jwt|pat|hmac|sess|sid|bearer|nonce|ticket|dsn|mnemonic|phrase|words|conn|ur[il]|code|verifier|link|saml|iban|csrf|xsrf|role|number|mdp|xprv|config|answer|clave|contrase|wort|woord|senha|parola|lose|adgang|salas|jelsz|lozin|katas|matkh|has[lł]o|heslo|sifre|[^\0-\x7f]/iu

/** Whether a text contains a part of a secret's name. */
export const mayNameSecret = (text: string): boolean => STEMS.test(text)

type Hide = (secret: string) => string
type IsSecret = (name: string, value: string, place: NamePlace) => boolean

/** Replaces every secret in a text that is recognized by its format, or by its name. */
export function hideFormats(text: string, hide: Hide, isSecret: IsSecret, hasOwnNames: boolean): string {
  return hideIn(text, { hide, isSecret, hasOwnNames }, 0)
}

interface Rules {
  readonly hide: Hide
  readonly isSecret: IsSecret
  readonly hasOwnNames: boolean
}

function hideIn(text: string, rules: Rules, level: number): string {
  const { hide, hasOwnNames } = rules
  let out = text
  const inside = (all: string, secret: string) => replaceIn(all, secret, hide)
  out = hideJwts(out, hide)
  if (out.includes('-----BEGIN ')) out = out.replace(PRIVATE_KEY, hide)
  if (/[-_.$:]|A[KSBCIT]|SK|CF|1\/\/0|dapi|discord/.test(out)) out = out.replace(FORMATS, hide)
  if (/(?:bearer|basic)(?:\s|%20|\+)/i.test(out)) out = out.replace(SCHEMES, inside)
  if (out.includes('://')) out = out.replace(USER_INFO, inside)
  if (out.includes('%40')) out = out.replace(USER_INFO_ENCODED, inside)
  if (level < MOST_ENCODINGS && /e[yw][JAok0]|W[3yw][sJo]/.test(out))
    out = out.replace(BASE64_JSON, encoded => {
      const json = decodedBase64(encoded)
      return json !== undefined && hideIn(json, rules, MOST_ENCODINGS) !== json ? hide(encoded) : encoded
    })
  // Without these there is no name of a value, and looking for stems in a long text takes long.
  if (/[=:.>]|%3|%2|\s-/.test(out) && (hasOwnNames || mayNameSecret(out))) out = hideNamed(out, rules)
  if (level < MOST_ENCODINGS && out.includes('%')) out = hideEncoded(out, rules, level)
  return out
}

/** Hides values that follow their name. */
function hideNamed(text: string, { hide, isSecret }: Rules): string {
  let out = text
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
  if (out.includes('<') && out.includes('>')) {
    out = out.replace(ELEMENT, (all: string, name: string, data?: string, value: string = '') =>
      under(all, name, data ?? value),
    )
    out = out.replace(KEY_ELEMENT, under)
    if (/\svalue\s{0,4}=/i.test(out)) out = out.replace(TAG, tag => hideAttribute(tag, under))
  }
  if (/-u|-U|--user|--proxy-user|sshpass/.test(out) && /curl|wget|https?\b|sshpass/.test(out))
    out = out.replace(ARGUMENT, (all: string, secret: string) => replaceIn(all, secret, hide))
  if (/\s-/.test(out))
    out = out.replace(OPTION, (all: string, name: string, ...values: (string | undefined)[]) =>
      under(all, name, values.slice(0, 3).find(value => value !== undefined) ?? ''),
    )
  if (out.includes('=') || out.includes('%3')) {
    if (out.includes(';') && CONNECTION.test(out)) out = out.replace(SETTING, under)
    out = out.replace(
      ASSIGNED,
      (all: string, mark: string | undefined, name: string, ...values: (string | undefined)[]) =>
        under(
          all,
          name.slice(name.lastIndexOf('.') + 1),
          values.slice(0, 4).find(value => value !== undefined) ?? '',
          mark === undefined ? 'text' : 'query',
        ),
    )
  }
  if (out.includes(':')) {
    out = out.replace(QUOTED, (all: string, name: string, _: unknown, value?: string, digits: string = '') =>
      under(all, name, value ?? digits, value === undefined ? 'number' : 'text'),
    )
    out = hideBelow(out, { hide, isSecret })
    out = out.replace(LINE, (all: string, name: string, ...values: (string | undefined)[]) =>
      under(all, name, (values.slice(0, 4).find(value => value !== undefined) ?? '').trim()),
    )
  }
  if (/\.(?:n?eq|[gl]te?|i?like|i?match|is|isdistinct|in|cs|cd|w?fts|plfts|phfts)[.(]/.test(out))
    out = out.replace(
      FILTERED,
      (all: string, name: string, quoted?: string, list?: string, bare: string = '') =>
        under(all, name.slice(name.lastIndexOf('.') + 1), quoted ?? list ?? bare),
    )
  return out
}

/** The beginning of an object or list under a name, in JSON at any level of escaping. */
const OPENED = /(?<!\\)(\\{0,127})["']([\p{L}_][\p{L}\w.-]{0,63})\\{0,127}["']\s{0,8}:\s{0,8}[[{]/gu

/** Hides all texts and numbers in the objects and lists under secret names, also if the JSON is cut off. */
function hideBelow(text: string, { hide, isSecret }: Pick<Rules, 'hide' | 'isSecret'>): string {
  let out = ''
  let copied = 0
  OPENED.lastIndex = 0
  for (let found = OPENED.exec(text); found; found = OPENED.exec(text)) {
    const [, escape = '', name = ''] = found
    if (!isSecret(name, LIKE_A_TOKEN, 'text')) continue
    const start = OPENED.lastIndex - 1
    const end = endOfBlock(text, start, escape)
    out +=
      text.slice(copied, start) +
      text
        .slice(start, end)
        .replaceAll(
          leafIn(escape),
          (all, leaf: string | undefined, colon: string | undefined, digits: string = '') =>
            colon === undefined && isSecret(name, leaf ?? digits, leaf === undefined ? 'number' : 'text')
              ? replaceIn(all, leaf ?? digits, hide)
              : all,
        )
    copied = end
    OPENED.lastIndex = end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** Secret under any name of a secret. */
const LIKE_A_TOKEN = 'a1b2c3d4'

/** A text, with the colon after a key, or a number. */
function leafIn(escape: string): RegExp {
  const quote = escape.replaceAll('\\', '\\\\') + '"'
  return new RegExp(raw`${quote}((?:(?!${quote}).)*)(?:${quote}(\s*:)?|$)|(?<=[:[,]\s{0,8})(\d{3,})`, 'gs')
}

/** The position after the bracket that closes the one at this position, or the end of the text. */
function endOfBlock(text: string, start: number, escape: string): number {
  const quote = `${escape}"`
  let level = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '[' || char === '{') level += 1
    else if (char === ']' || char === '}') {
      level -= 1
      if (level === 0) return at + 1
    } else if (text.startsWith(quote, at)) {
      let end = text.indexOf(quote, at + quote.length)
      // A quotation mark within the text has more backslashes.
      while (end > 0 && text[end - 1] === '\\') end = text.indexOf(quote, end + 1)
      if (end < 0) return text.length
      at = end + quote.length - 1
    }
  }
  return text.length
}

/** Hides the value of a tag that names a field. */
function hideAttribute(tag: string, under: (all: string, name: string, value: string) => string): string {
  const names = [...tag.matchAll(NAMING)].map(([, name = '']) => name)
  return tag.replace(VALUE_ATTRIBUTE, (all: string, ...values: (string | undefined)[]) => {
    const value = values.slice(0, 3).find(one => one !== undefined) ?? ''
    return names.reduce((out, name) => (out === all ? under(all, name, value) : out), all)
  })
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** Hides secrets in parts that are encoded as in URLs, up to several times. */
function hideEncoded(text: string, rules: Rules, level: number): string {
  return text.replace(ENCODED, part => {
    if (!part.includes('%')) return part
    const decoded = part.replace(/(?:%[0-9A-Fa-f]{2})+/g, run => {
      if (run.length === 3 && run < '%8') return ASCII[Number.parseInt(run.slice(1), 16)] ?? run
      try {
        return decodeURIComponent(run)
      } catch {
        return run
      }
    })
    if (decoded === part) return part
    const hidden = hideIn(decoded, rules, level + 1)
    if (hidden === decoded) return part
    const encoded = encodeURIComponent(hidden).replaceAll(/%5Bredacted%3A(\d+)%5D/g, '[redacted:$1]')
    // What separated the part, such as the `=` after a name, still does.
    return encoded.replaceAll(/%(?:3D|2C|3A|2F|40|2B|5B|5D|28|29)/g, code => {
      const char = decodeURIComponent(code)
      return part.includes(char) ? char : code
    })
  })
}

function decodedBase64(text: string): string | undefined {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}

/** Already redacted values are kept. */
function replaceIn(all: string, secret: string, hide: Hide): string {
  if (secret === '' || /\[redacted:|%5Bredacted(?::|%3A)\d/i.test(secret) || /\.redacted-\d/.test(secret))
    return all
  // A stand-in may begin with it.
  if (isPublicPrefix(secret)) return all
  const at = all.lastIndexOf(secret)
  return all.slice(0, at) + hide(secret) + all.slice(at + secret.length)
}
