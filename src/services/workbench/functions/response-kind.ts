// The kind of a response, by content type: how it is shown, and its file name.

export type ResponseKind =
  'events' | 'lines' | 'json' | 'text' | 'image' | 'audio' | 'video' | 'pdf' | 'binary'

const KINDS: readonly (readonly [RegExp, ResponseKind])[] = [
  [/^text\/event-stream$/, 'events'],
  [/ndjson|jsonl|json-?lines|stream\+json|json-seq/, 'lines'],
  [/[/+]json$|^application\/problem/, 'json'],
  [/^image\//, 'image'],
  [/^audio\//, 'audio'],
  [/^video\//, 'video'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/|[/+]xml$|javascript|yaml|graphql|urlencoded|toml|^application\/(sql|csv)/, 'text'],
]

/** Without a type it is treated as text, as in the official client. */
export const responseKind = (contentType: string | null): ResponseKind => {
  const type = bareType(contentType)
  if (type === '') return 'text'
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'binary'
}

const bareType = (contentType: string | null) => contentType?.split(';')[0]?.trim().toLowerCase() ?? ''

const TEXTUAL: ReadonlySet<ResponseKind> = new Set(['events', 'lines', 'json', 'text'])

/** Whether it is read as text. */
export const isTextual = (kind: ResponseKind): boolean => TEXTUAL.has(kind)

const ENDINGS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/x-ndjson': 'ndjson',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/csv': 'csv',
  'text/event-stream': 'txt',
  'text/html': 'html',
  'text/plain': 'txt',
}

/** The file name from the response, or one based on the function; never with a folder. */
export function fileNameOf(
  name: string,
  contentType: string | null,
  contentDisposition: string | null,
): string {
  const given = dispositionName(contentDisposition ?? '')
  if (given !== undefined) return given
  const type = bareType(contentType)
  const tail = /^(?:image|audio|video)\/([a-z0-9]+)$/.exec(type)?.[1]
  const stem =
    name
      .trim()
      .replace(/^\/+/, '')
      .replaceAll(/[^\w-]+/g, '-') || 'answer'
  return `${stem}.${ENDINGS[type] ?? tail ?? (isTextual(responseKind(contentType)) ? 'txt' : 'bin')}`
}

function dispositionName(text: string): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(text)?.[1]
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(text)
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2]) : unescaped(encoded)
  const bare = name?.split(/[/\\]/).at(-1)?.trim()
  return bare === undefined || bare === '' || /^\.+$/.test(bare) ? undefined : bare
}

const unescaped = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
