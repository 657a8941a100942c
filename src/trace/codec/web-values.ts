// Objects of the platform that are a text or a list of texts: URLs, regular expressions, parameters, headers.

type Pairs = readonly (readonly [string, string])[]

/** How a class is written: as a text, or as pairs of a name and a text. */
interface WebKind<T extends object> {
  readonly name: string
  readonly type: abstract new (...args: never[]) => T
  readonly text?: (value: T) => string
  readonly pairs?: (value: T) => Pairs
  /** @throws if it is not valid */
  readonly make: (content: string & Pairs) => T
}

const kindOf = <T extends object>(kind: WebKind<T>) => kind as unknown as WebKind<object>

/** By the tag in files. */
const KINDS: ReadonlyMap<string, WebKind<object>> = new Map([
  ['url', kindOf({ name: 'URL', type: URL, text: ({ href }) => href, make: text => new URL(text) })],
  [
    'regexp',
    kindOf({
      name: 'RegExp',
      type: RegExp,
      text: value => RegExp.prototype.toString.call(value),
      make(text) {
        const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
        if (source === undefined) throw new SyntaxError('no regular expression')
        return new RegExp(source, flags)
      },
    }),
  ],
  [
    'params',
    kindOf({
      name: 'URLSearchParams',
      type: URLSearchParams,
      pairs: value => [...value],
      make: pairs => new URLSearchParams(pairs.map(([name, text]) => [name, text])),
    }),
  ],
  [
    'headers',
    kindOf({
      name: 'Headers',
      type: Headers,
      pairs: value => [...value],
      make: pairs => new Headers(pairs.map(([name, text]) => [name, text])),
    }),
  ],
])

/** What such an object contains: its tag, its class and either its text or its pairs. */
export interface WebContent {
  readonly tag: string
  readonly name: string
  readonly text?: string
  readonly pairs?: Pairs
}

/** Returns the content of such an object; undefined for any other. */
export function webContent(value: object): WebContent | undefined {
  for (const [tag, { name, type, text, pairs }] of KINDS)
    if (value instanceof type)
      return { tag, name, ...(text && { text: text(value) }), ...(pairs && { pairs: pairs(value) }) }
  return undefined
}

/** Returns one line for readers, such as `URL https://example.com/`. */
export function webText(value: object): string | undefined {
  const content = webContent(value)
  if (!content) return undefined
  const { name, text, pairs = [] } = content
  return text === undefined ? `${name} ${pairs.map(pair => pair.join(': ')).join(', ')}` : `${name} ${text}`
}

export const isWebTag = (tag: unknown): tag is string => typeof tag === 'string' && KINDS.has(tag)

/** @throws TypeError if this is not the content of such an object */
export function makeWebValue(tag: string, content: unknown): object {
  const kind = KINDS.get(tag)
  const isValid = kind?.text ? typeof content === 'string' : isPairs(content)
  try {
    if (kind && isValid) return kind.make(content as string & Pairs)
  } catch {
    // Described below.
  }
  throw new TypeError(`has a damaged value of the kind "${tag}"`)
}

function isPairs(content: unknown): content is Pairs {
  return (
    Array.isArray(content) &&
    content.every(
      pair => Array.isArray(pair) && pair.length === 2 && pair.every(part => typeof part === 'string'),
    )
  )
}
