// Loads what is known of a schema: from a file on the server of the app, else from the REST root, else from what the user gave.
import type { ChartroomClient, Failure } from '../../client/index.ts'
import { readOwnFile } from '../hosts/deployment.ts'
import { describeSchema, findObstacle, type SchemaDescription } from '../rest/rest.ts'
import { parseFunctions, type RpcFunction } from '../functions/rpc-functions.ts'
import { parseTables, type TableInfo } from '../table/schema.ts'
import { givenSchemaOf } from './kept-schema.ts'
import { readSchemaFile, type SchemaContent, type SchemaContents } from './schema-content.ts'

/** Where the list comes from. */
export type SchemaSource = 'file' | 'root' | 'given'

export type LoadedSchema =
  | ({
      readonly phase: 'known'
      readonly source: SchemaSource
      /** All schemas, if their source describes them together. */
      readonly schemas?: SchemaContents
    } & SchemaContent)
  | Exclude<SchemaDescription, { readonly phase: 'known' }>

export type LoadResult =
  { readonly ok: true; readonly value: LoadedSchema } | { readonly ok: false; readonly failure: Failure }

/** Reads the schema file of a deployment; undefined if it is missing or is none. */
async function readDeployed(path: string): Promise<SchemaContents | undefined> {
  const file = await readOwnFile(path)
  const read = file && 'value' in file ? readSchemaFile(file.value) : undefined
  return read?.ok === true ? read.schemas : undefined
}

/**
 * Loads the tables and functions of a schema. Rejects when aborted.
 * @param file path of the deployment's schema file
 */
export async function loadSchema(
  client: ChartroomClient,
  schema: string,
  {
    file,
    signal,
    isTableOpen,
  }: {
    readonly file: string | undefined
    readonly signal: AbortSignal
    /** Whether a table is open: its own requests find what is wrong, and need not wait. */
    readonly isTableOpen?: () => boolean
  },
): Promise<LoadResult> {
  const deployed = file === undefined ? undefined : await readDeployed(file)
  signal.throwIfAborted()
  const listed = deployed?.get(schema)
  if (deployed && listed)
    return { ok: true, value: { phase: 'known', source: 'file', schemas: deployed, ...listed } }
  const described = await describeSchema(client, schema, signal)
  if (!described.ok) return described
  const { value } = described
  if (value.phase === 'unserved' || value.phase === 'unavailable') return { ok: true, value }
  const ofRoot = value.phase === 'known' ? contentOf(value.document) : undefined
  if (ofRoot) return { ok: true, value: { phase: 'known', source: 'root', ...ofRoot } }
  const schemas = (await givenSchemaOf(client).load())?.schemas
  const givenTables = schemas?.get(schema)
  signal.throwIfAborted()
  if (schemas && givenTables)
    return { ok: true, value: { phase: 'known', source: 'given', schemas, ...givenTables } }
  if (value.phase !== 'refused') return { ok: true, value: NO_TABLES }
  const obstacle = isTableOpen?.() === true ? undefined : await findObstacle(client, schema, signal)
  return { ok: true, value: obstacle ?? value }
}

const NO_TABLES: LoadedSchema = { phase: 'refused', message: 'The backend lists no tables for your role.' }

function contentOf(
  document: unknown,
): { readonly tables: readonly TableInfo[]; readonly functions: readonly RpcFunction[] } | undefined {
  const tables = parseTables(document)
  return tables && { tables, functions: parseFunctions(document) }
}
