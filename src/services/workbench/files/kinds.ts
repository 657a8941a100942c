// How a file can be previewed without running any of its content.
import { indented } from '../text/json-format.ts'

export type PreviewKind = 'image' | 'pdf' | 'audio' | 'video' | 'text' | 'json' | 'none'

export interface PreviewType {
  readonly kind: PreviewKind
  /** The type given to the browser, never one that it would run as a page. */
  readonly mime: string
}

const BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  json: 'application/json',
  geojson: 'application/json',
}

const TEXT_ENDINGS = new Set(
  'txt md csv tsv log xml html htm css js mjs cjs ts tsx jsx py rb go rs java c h cpp sh sql yml yaml toml ini env'.split(
    ' ',
  ),
)
const TEXT_TYPES = /^(text\/|application\/(xml|javascript|typescript|sql|x-sh|yaml|toml|xhtml\+xml))/

const endingOf = (name: string): string => {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** Types without information. */
const isVague = (type: string): boolean => type === '' || type === 'application/octet-stream'

/** How to show a file. Markup is shown as text; an SVG as an image, in which no script runs. */
export function lookOf(name: string, type: string | undefined): PreviewType {
  const ending = endingOf(name)
  const [mediaType = ''] = (type ?? '').toLowerCase().split(';')
  const mime = isVague(mediaType) ? (BY_ENDING[ending] ?? mediaType) : mediaType
  if (mime.startsWith('image/')) return { kind: 'image', mime }
  if (mime === 'application/pdf') return { kind: 'pdf', mime }
  if (mime.startsWith('audio/')) return { kind: 'audio', mime }
  if (mime.startsWith('video/')) return { kind: 'video', mime }
  if (mime === 'application/json' || mime.endsWith('+json')) return { kind: 'json', mime: 'text/plain' }
  if (TEXT_TYPES.test(mime) || (isVague(mime) && TEXT_ENDINGS.has(ending)))
    return { kind: 'text', mime: 'text/plain' }
  return { kind: 'none', mime: 'application/octet-stream' }
}

/** Size limits for loading automatically. */
const UNASKED: Readonly<Record<PreviewKind, number>> = {
  image: 15_000_000,
  pdf: 15_000_000,
  audio: 15_000_000,
  video: 15_000_000,
  text: 1_000_000,
  json: 1_000_000,
  none: 0,
}

/** Whether a file of this size loads automatically. */
export const isShownAtOnce = (kind: PreviewKind, size: number | undefined): boolean =>
  (size ?? 0) <= UNASKED[kind]

/** Characters shown of a text; more would slow the page. */
const SHOWN_TEXT = 200_000

/** Formats text for reading: JSON is indented, other text unchanged; reports truncation. */
export function readable(
  text: string,
  kind: PreviewKind,
): { readonly text: string; readonly isCut: boolean } {
  const fullText = kind === 'json' ? (indented(text) ?? text) : text
  return { text: fullText.slice(0, SHOWN_TEXT), isCut: fullText.length > SHOWN_TEXT }
}

/** Viewers look for the signature in the first kilobyte. */
const PDF_HEAD = 1_024

/** Whether the bytes are a PDF, regardless of the stored type. */
export const isPdf = async (bytes: Blob): Promise<boolean> =>
  (await bytes.slice(0, PDF_HEAD).text()).includes('%PDF-')
