// JSON bodies and queries of storage requests, checked and converted as the storage server does it: with Ajv and
// the settings of Fastify.
import type { Ajv, ErrorObject } from 'ajv'
import { invalidBody, StorageFailure } from './failure.ts'
import { DEEPEST, isDeeperThan } from '../shared/json-depth.ts'

/** A JSON schema of values of a type. */
interface Shape<T> {
  readonly schema: object
  /** Only names the type. */
  readonly of?: T
}

const text = { type: 'string' } as const
const count = (minimum: number) => ({ type: 'integer', finite: true, minimum })
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values })
const bucketSettings = {
  public: { type: 'boolean' },
  file_size_limit: {
    anyOf: [
      { ...count(0), nullable: true },
      {
        ...text,
        nullable: true,
        pattern: '^[0-9]+(?:\\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$',
      },
    ],
  },
  allowed_mime_types: { type: 'array', nullable: true, items: text },
}
const sorting = (...columns: readonly string[]) => ({
  type: 'object',
  properties: { column: oneOf(...columns), order: oneOf('asc', 'desc') },
  required: ['column'],
})
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})

type Order = 'asc' | 'desc'

export interface BucketSettings {
  readonly public?: boolean
  readonly file_size_limit?: number | string | null
  readonly allowed_mime_types?: readonly string[] | null
}

export const newBucketBody: Shape<BucketSettings & { name: string; id?: string }> = {
  schema: object({ name: text, id: text, type: oneOf('STANDARD', 'ANALYTICS'), ...bucketSettings }, 'name'),
}

export const bucketBody: Shape<BucketSettings> = {
  schema: {
    ...object(bucketSettings),
    minProperties: 1,
    anyOf: Object.keys(bucketSettings).map(name => ({ required: [name] })),
  },
}

export const bucketsQuery: Shape<{
  limit?: number
  offset?: number
  sortColumn?: 'id' | 'name' | 'created_at' | 'updated_at'
  sortOrder?: Order
  search?: string
}> = {
  schema: object({
    limit: count(1),
    offset: count(0),
    sortColumn: oneOf('id', 'name', 'created_at', 'updated_at'),
    sortOrder: oneOf('asc', 'desc'),
    search: text,
  }),
}

export type SortColumn = 'name' | 'updated_at' | 'created_at' | 'last_accessed_at'

export interface ListBody {
  readonly prefix: string
  readonly limit?: number
  readonly offset?: number
  readonly search?: string
  readonly sortBy?: { readonly column: SortColumn; readonly order?: Order }
}

export const listBody: Shape<ListBody> = {
  schema: object(
    {
      prefix: text,
      limit: count(1),
      offset: count(0),
      sortBy: sorting('name', 'updated_at', 'created_at', 'last_accessed_at'),
      search: text,
    },
    'prefix',
  ),
}

export interface PageBody {
  readonly prefix?: string
  readonly limit?: number
  readonly cursor?: string
  readonly with_delimiter?: boolean
  readonly sortBy?: { readonly column: 'name' | 'updated_at' | 'created_at'; readonly order?: Order }
}

export const pageBody: Shape<PageBody> = {
  schema: object({
    prefix: text,
    limit: count(1),
    cursor: text,
    with_delimiter: { type: 'boolean' },
    sortBy: sorting('name', 'updated_at', 'created_at'),
  }),
}

export interface TransferBody {
  readonly bucketId: string
  readonly sourceKey: string
  readonly destinationKey: string
  readonly destinationBucket?: string
}

const transfer = { bucketId: text, sourceKey: text, destinationBucket: text, destinationKey: text }

export const moveBody: Shape<TransferBody> = {
  schema: object(transfer, 'bucketId', 'sourceKey', 'destinationKey'),
}

export interface CopyBody extends TransferBody {
  readonly copyMetadata?: boolean
  readonly metadata?: { readonly cacheControl?: string; readonly mimetype?: string }
}

export const copyBody: Shape<CopyBody> = {
  schema: object(
    {
      ...transfer,
      metadata: { type: 'object', properties: { cacheControl: text, mimetype: text } },
      copyMetadata: { type: 'boolean' },
    },
    'sourceKey',
    'bucketId',
    'destinationKey',
  ),
}

/** Hosted projects accept as many names in one request. */
const MOST_NAMES = 1000
const names = { type: 'array', items: text, minItems: 1, maxItems: MOST_NAMES }

export const signBody: Shape<{ expiresIn: number; transform?: Readonly<Record<string, unknown>> }> = {
  schema: object({ expiresIn: count(1), transform: { type: 'object' } }, 'expiresIn'),
}

export const signManyBody: Shape<{ expiresIn: number; paths: readonly string[] }> = {
  schema: object({ expiresIn: count(1), paths: names }, 'expiresIn', 'paths'),
}

export const removeBody: Shape<{ prefixes: readonly string[] }> = {
  schema: object({ prefixes: names }, 'prefixes'),
}

/** Parses JSON whose depth can be stored and sent again; `undefined` for anything else. */
export function parseBounded(json: string): unknown {
  if (isDeeperThan(DEEPEST, Buffer.from(json))) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Reads a JSON body; for an invalid one, the error names the field. */
export async function readBody<T>(request: Request, shape: Shape<T>): Promise<T> {
  return check('body', await readJson(request), shape)
}

/** Reads the parameters of a URL; an error names the parameter. */
export async function readQuery<T>(url: string, shape: Shape<T>): Promise<T> {
  return check('querystring', Object.fromEntries(new URL(url).searchParams), shape)
}

/** `null` for a body of another type, which counts as none. */
async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return null
  const body = await request.text()
  const json = parseBounded(body)
  if (json !== undefined) return json
  const problem = body === '' ? 'Body cannot be empty when' : 'Body is not valid JSON but'
  const message = isDeeperThan(DEEPEST, Buffer.from(body))
    ? 'The body is nested too deeply'
    : `${problem} content-type is set to 'application/json'`
  throw new StorageFailure(400, 'InvalidRequest', 'FastifyError', message)
}

let ajv: Promise<Ajv> | undefined

/** A keyword of the storage server, which its messages name. */
const FINITE = {
  keyword: 'finite',
  schemaType: 'boolean',
  validate: (isWanted: boolean, value: unknown) => !isWanted || value === null || Number.isFinite(value),
} as const

/** Ajv is loaded with the first body, not at startup. */
async function check<T>(what: string, value: unknown, { schema }: Shape<T>): Promise<T> {
  ajv ??= import('ajv').then(module =>
    new module.Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true }).addKeyword(FINITE),
  )
  const validate = (await ajv).compile<T>(schema)
  // A value is converted in place, so that the type guard holds.
  const holder: { value: unknown } = { value }
  if (validate(holder.value)) return holder.value
  throw invalidBody(describe(what, validate.errors ?? []))
}

function describe(what: string, errors: readonly ErrorObject[]): string {
  return errors.map(({ instancePath, message = '' }) => `${what}${instancePath} ${message}`).join(', ')
}
