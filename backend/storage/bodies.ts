// Schemas and parsing of storage request bodies.
import * as v from 'valibot'
import { invalidRequest } from './failure.ts'
import { transformSchema } from './transforms.ts'
import { DEEPEST, isDeeperThan } from '../shared/json-depth.ts'

export const bucketBody = v.object({
  id: v.optional(v.string()),
  name: v.optional(v.string()),
  public: v.optional(v.boolean()),
  file_size_limit: v.optional(v.nullable(v.union([v.number(), v.string()]))),
  allowed_mime_types: v.optional(v.nullable(v.array(v.string()))),
})

export const listBody = v.object({
  prefix: v.optional(v.string(), ''),
  search: v.optional(v.string(), ''),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 100),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(['name', 'updated_at', 'created_at', 'last_accessed_at']), 'name'),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    {},
  ),
})

export const pageBody = v.object({
  prefix: v.optional(v.string(), ''),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1000),
  cursor: v.optional(v.string()),
  with_delimiter: v.optional(v.boolean(), false),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(['name', 'updated_at', 'created_at']), 'name'),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    {},
  ),
})

export const transferBody = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.optional(v.string()),
})

export const signBody = v.object({ expiresIn: v.number(), transform: v.optional(transformSchema) })
export const signManyBody = v.object({ expiresIn: v.number(), paths: v.array(v.string()) })
export const removeBody = v.object({ prefixes: v.array(v.string()) })

/** Parses JSON whose depth can be stored and sent again; `undefined` for anything else. */
export function parseBounded(text: string): unknown {
  if (isDeeperThan(DEEPEST, Buffer.from(text))) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a JSON body; for an invalid one, the error names the field. */
export async function readBody<T extends v.GenericSchema>(
  request: Request,
  schema: T,
): Promise<v.InferOutput<T>> {
  const json = parseBounded(await request.text())
  if (json === undefined) throw invalidRequest('The body is not JSON or is nested too deeply')
  const parsed = v.safeParse(schema, json)
  if (parsed.success) return parsed.output
  const issue = parsed.issues[0]
  throw invalidRequest(`body/${v.getDotPath(issue) ?? ''} ${issue.message}`)
}
