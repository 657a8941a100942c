// Parses an upload from a form or a raw body, byte for byte.
import { parseBounded } from './bodies.ts'
import { invalidRequest } from './failure.ts'

export interface Upload {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly cacheControl: string
  readonly userMetadata: unknown
}

export const DEFAULT_TYPE = 'application/octet-stream'

/** Reads an upload; rejects one whose content type or cache control is not a valid header value. */
export async function readUpload(request: Request): Promise<Upload> {
  const upload = await read(request)
  try {
    const headers = new Headers()
    headers.set('content-type', upload.contentType)
    headers.set('cache-control', upload.cacheControl)
  } catch {
    throw invalidRequest('The content type or the cache control is not a valid header value')
  }
  return upload
}

async function read(request: Request): Promise<Upload> {
  const contentType = request.headers.get('content-type') ?? DEFAULT_TYPE
  if (contentType.startsWith('multipart/form-data')) return readForm(request)
  const encoded = request.headers.get('x-metadata')
  return {
    bytes: new Uint8Array(await request.arrayBuffer()),
    contentType,
    cacheControl: request.headers.get('cache-control') ?? 'no-cache',
    userMetadata: encoded ? readMetadata(Buffer.from(encoded, 'base64').toString('utf8')) : undefined,
  }
}

async function readForm(request: Request): Promise<Upload> {
  const form = await request.formData().catch(() => {
    throw invalidRequest('Failed to parse the form')
  })
  const file = [...form.values()].find(value => value instanceof File)
  if (!file) throw invalidRequest('The form contains no file')
  const seconds = form.get('cacheControl')
  const metadata = form.get('metadata')
  return {
    bytes: new Uint8Array(await file.arrayBuffer()),
    contentType: textOf(form.get('contentType')) ?? (file.type || DEFAULT_TYPE),
    cacheControl: textOf(seconds) === undefined ? 'no-cache' : `max-age=${textOf(seconds)}`,
    userMetadata: textOf(metadata) === undefined ? undefined : readMetadata(textOf(metadata) ?? ''),
  }
}

function textOf(value: FormDataEntryValue | null): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The metadata that an app sets for a file: a JSON object. */
export function readMetadata(text: string): unknown {
  const metadata = parseBounded(text)
  if (typeof metadata === 'object' && !Array.isArray(metadata)) return metadata
  throw invalidRequest('The metadata is not a JSON object or is nested too deeply')
}
