// Tables and functions of a project, by schema: of a schema file, or of generated types.
import { number, object, optional, picklist, safeParse } from 'valibot'
import { parseFunctions, type RpcFunction } from '../functions/rpc-functions.ts'
import { isAnyKeyOf, byName } from '../storage/safe-record.ts'
import { parseTables, type TableInfo } from '../table/schema.ts'

export interface SchemaContent {
  readonly tables: readonly TableInfo[]
  readonly functions: readonly RpcFunction[]
}

export type SchemaContents = ReadonlyMap<string, SchemaContent>

export type ReadSchema =
  | { readonly ok: true; readonly schemas: SchemaContents }
  /** A sentence with the place of the problem. */
  | { readonly ok: false; readonly problem: string }

/** What `chartroom schema` writes: PostgREST's description of each exposed schema. */
const file = object({
  format: picklist(['chartroom-schema']),
  version: optional(number(), 1),
  schemas: byName(isAnyKeyOf),
})

const FORMAT =
  'This is not a schema file. `chartroom schema --url … --out schema.json` makes one; `database.types.ts` works, too.'

/** Reads a parsed schema file, or a saved response of the REST root. */
export function readSchemaFile(value: unknown): ReadSchema {
  const parsed = safeParse(file, value)
  if (!parsed.success) {
    const tables = parseTables(value)
    if (tables === undefined) return { ok: false, problem: FORMAT }
    return { ok: true, schemas: new Map([['public', { tables, functions: parseFunctions(value) }]]) }
  }
  const { version, schemas } = parsed.output
  if (version !== 1)
    return {
      ok: false,
      problem: `This schema file has version ${version}, which a newer Chartroom made. Update Chartroom, or make the file again.`,
    }
  const contents = Object.entries(schemas).map(
    ([name, document]) =>
      [name, { tables: parseTables(document) ?? [], functions: parseFunctions(document) }] as const,
  )
  return { ok: true, schemas: new Map(contents) }
}
