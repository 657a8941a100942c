// Parses an upload from a form or a raw body; its bytes are passed on as they arrive.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyInstance } from '@fastify/busboy'
import type { ByteSource } from './blobs.ts'
import { parseBounded } from './bodies.ts'
import { invalidRequest, invalidType } from './failure.ts'

/** What is recorded about an upload, apart from its bytes. */
export interface UploadInfo {
  readonly contentType: string
  readonly cacheControl: string
  readonly userMetadata: unknown
}

export interface Upload extends UploadInfo {
  readonly bytes: ByteSource
}

export const DEFAULT_TYPE = 'application/octet-stream'

/** A form has a file and a few short fields. */
const FORM_LIMITS = { fields: 100, parts: 200, fieldSize: 1024 * 1024 }

/** Reads an upload up to its bytes; rejects one whose content type or cache control is not a valid header value. */
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
  if (!contentType.includes('/')) throw invalidType(contentType, 'Invalid Content-Type header')
  if (/^multipart\/form-data/i.test(contentType)) return readForm(request, contentType)
  return {
    bytes: request.body ?? [],
    contentType,
    cacheControl: request.headers.get('cache-control') ?? 'no-cache',
    userMetadata: readMetadataHeader(request.headers.get('x-metadata')) ?? {},
  }
}

/** Reads a form up to its file; as in the official server, fields after the file are ignored. */
async function readForm({ body }: Request, contentType: string): Promise<Upload> {
  const fields = new Map<string, string>()
  const { file, type, parsed } = await findFile(body ?? new ReadableStream(), contentType, fields)
  const seconds = fields.get('cacheControl')
  const metadata = fields.get('metadata') ?? fields.get('userMetadata')
  return {
    bytes: readFile(file, parsed),
    contentType: fields.get('contentType') ?? type,
    cacheControl: seconds === undefined ? 'no-cache' : `max-age=${seconds}`,
    userMetadata: readMetadata(metadata) ?? {},
  }
}

interface FormFile {
  readonly file: Readable
  readonly type: string
  /** Resolves at the end of the form. */
  readonly parsed: Promise<void>
}

async function findFile(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  fields: Map<string, string>,
): Promise<FormFile> {
  const formFile = Promise.withResolvers<FormFile>()
  const parser = await createParser(contentType)
  let first: Readable | undefined
  const parsed = pipeline(body, parser).then(
    () => formFile.reject(invalidRequest('The form contains no file')),
    () => {
      const failure = invalidRequest('Unexpected end of multipart data')
      first?.destroy(failure)
      formFile.reject(failure)
      throw failure
    },
  )
  // A failure reaches the reader of the file, or of the form if there is none yet.
  parsed.catch(() => undefined)
  parser.on('field', (name, value) => value !== '' && fields.set(name, value))
  parser.on('file', (_field, file, _name, _encoding, type) => {
    file.on('error', error => file.destroy(error))
    if (first) return void file.resume()
    first = file
    formFile.resolve({ file, type: type || DEFAULT_TYPE, parsed })
  })
  return formFile.promise
}

async function createParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: FORM_LIMITS })
  } catch {
    throw invalidRequest('Multipart: Boundary not found')
  }
}

/** A file counts only if the form around it is complete. */
async function* readFile(file: Readable, parsed: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file) yield chunk
  } catch {
    throw invalidRequest('Unexpected end of multipart data')
  }
  await parsed
}

/** The metadata that an app sets for a file, in base64. */
export function readMetadataHeader(encoded: string | null | undefined): object | undefined {
  return readMetadata(encoded && Buffer.from(encoded, 'base64').toString('utf8'))
}

/** The metadata that an app sets for a file: a JSON object. As in the storage server, others are ignored. */
export function readMetadata(text: string | null | undefined): object | undefined {
  const metadata = text ? parseBounded(text) : undefined
  return typeof metadata === 'object' && metadata && !Array.isArray(metadata) ? metadata : undefined
}
