// Media types, and their order of preference.
import type { MediaType } from './api-request.ts'

type PlanOption = Extract<MediaType, { readonly kind: 'plan' }>['options'][number]

const MEDIA_TYPES = {
  'application/json': 'json',
  'application/geo+json': 'geojson',
  'text/csv': 'csv',
  'text/plain': 'text',
  'text/xml': 'xml',
  'application/openapi+json': 'openapi',
  'application/x-www-form-urlencoded': 'form',
  'application/octet-stream': 'bytes',
  '*/*': 'any',
} as const

const byName: ReadonlyMap<string, (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES]> = new Map(
  Object.entries(MEDIA_TYPES),
)

/** Parameters of types but PostgREST's own are ignored. */
export function readMediaType(text: string): MediaType {
  const tokens = tokenize(text)
  const type = tokens?.type.toLowerCase() ?? ''
  const parameters = tokens?.parameters ?? new Map<string, string>()
  const kind = byName.get(type)
  if (kind !== undefined) return { kind }
  const stripsNulls = parameters.get('nulls') === 'stripped'
  switch (type) {
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
      return plan('text', parameters)
    case 'application/vnd.pgrst.plan+json':
      return plan('json', parameters)
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', stripsNulls }
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return stripsNulls ? { kind: 'array', stripsNulls } : { kind: 'json' }
    default:
      return { kind: 'other', name: text }
  }
}

const PLAN_OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

function plan(format: 'text' | 'json', parameters: ReadonlyMap<string, string>): MediaType {
  const options = (parameters.get('options') ?? '').split('|')
  return {
    kind: 'plan',
    of: readMediaType(parameters.get('for') ?? 'application/json'),
    format,
    options: PLAN_OPTIONS.filter(option => options.includes(option)),
  }
}

/** The name of a media type, without a character set. */
export function mediaTypeName(media: MediaType): string {
  switch (media.kind) {
    case 'other':
      return media.name
    case 'array':
      return 'application/vnd.pgrst.array+json;nulls=stripped'
    case 'object':
      return `application/vnd.pgrst.object+json${media.stripsNulls ? ';nulls=stripped' : ''}`
    case 'plan': {
      const options = media.options.length > 0 ? `; options=${media.options.join('|')}` : ''
      return `application/vnd.pgrst.plan+${media.format}; for="${mediaTypeName(media.of)}"${options}`
    }
    default:
      return Object.entries(MEDIA_TYPES).find(([, kind]) => kind === media.kind)?.[0] ?? '*/*'
  }
}

/** Types by their quality; of the same quality, by how specific they are. */
export function readAccept(header: string | null): readonly MediaType[] {
  if (header === null || header === '') return [{ kind: 'any' }]
  return header
    .split(',')
    .map(withQuality)
    .toSorted((first, second) => second.quality - first.quality || second.specificity - first.specificity)
    .map(({ text }) => readMediaType(text))
}

const QUALITY = ';q='

function withQuality(text: string): {
  readonly text: string
  readonly quality: number
  readonly specificity: number
} {
  const compact = text.replaceAll(' ', '')
  const index = compact.indexOf(QUALITY)
  const type = index < 0 ? compact : compact.slice(0, index)
  const digits = index < 0 ? null : /^-?\d+(?:\.\d+)?/.exec(compact.slice(index + QUALITY.length))
  return {
    text: type,
    quality: digits === null ? 1 : Number(digits[0]),
    specificity: countOf(type, ';') - countOf(type, '*'),
  }
}

const countOf = (text: string, character: string): number => text.split(character).length - 1

interface Tokens {
  readonly type: string
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** What follows the last complete parameter is ignored. */
function tokenize(text: string): Tokens | undefined {
  const slash = endOf(text, 0, '.*')
  const end = endOf(text, slash + 1, '.*+-')
  if (slash === 0 || text.charAt(slash) !== '/' || end === slash + 1) return undefined
  const parameters = new Map<string, string>()
  for (let next = readParameter(text, end); next !== undefined; next = readParameter(text, next.end))
    parameters.set(next.name.toLowerCase(), next.value)
  return { type: text.slice(0, end), parameters }
}

interface MediaParameter {
  readonly name: string
  readonly value: string
  readonly end: number
}

function readParameter(text: string, start: number): MediaParameter | undefined {
  const semicolon = afterSpaces(text, start)
  if (text.charAt(semicolon) !== ';') return undefined
  const nameStart = afterSpaces(text, semicolon + 1)
  const nameEnd = endOf(text, nameStart, '-')
  const equals = afterSpaces(text, nameEnd)
  if (nameEnd === nameStart || text.charAt(equals) !== '=') return undefined
  const value = readValue(text, afterSpaces(text, equals + 1))
  return value && { name: text.slice(nameStart, nameEnd), ...value }
}

function readValue(text: string, start: number): Omit<MediaParameter, 'name'> | undefined {
  const quote = text.charAt(start) === '"' ? text.indexOf('"', start + 1) : -1
  if (quote > 0) return { value: text.slice(start + 1, quote), end: quote + 1 }
  const end = endOf(text, start, '|-')
  return end === start ? undefined : { value: text.slice(start, end), end }
}

function afterSpaces(text: string, start: number): number {
  let end = start
  while (end < text.length && /\s/.test(text.charAt(end))) end++
  return end
}

/** After letters, digits and the given characters. */
function endOf(text: string, start: number, delimiters: string): number {
  let end = start
  while (
    end < text.length &&
    (/[\p{L}\p{N}]/u.test(text.charAt(end)) || delimiters.includes(text.charAt(end)))
  )
    end++
  return end
}
