// What there is to review: as the embedded backend describes it, else the known tables and functions, and buckets.
import { array, boolean, fallback, object, safeParse, string } from 'valibot'
import { type Catalog, AccessError, readCatalog } from '../../access/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { RequestError } from '../../runtime/index.ts'
import { readOwnFile } from '../hosts/deployment.ts'
import { loadSchema } from '../schema/load-schema.ts'
import type { Column } from '../table/schema.ts'

export interface CatalogSource {
  readonly client: ChartroomClient
  /** The backend is that of the page's own origin. */
  readonly isEmbedded: boolean
  readonly schema: string
  /** Path of the deployment's schema file. */
  readonly file: string | undefined
}

const EMBEDDED_PATH = '/_chartroom/access'

/** Loads the catalog. @throws AccessError, or RequestError with the reason */
export async function loadCatalog(
  { client, isEmbedded, schema, file }: CatalogSource,
  signal: AbortSignal,
): Promise<Catalog> {
  const ownCatalog = isEmbedded ? await readOwnFile(EMBEDDED_PATH) : undefined
  const described = ownCatalog && 'value' in ownCatalog ? readCatalog(ownCatalog.value) : undefined
  if (described) return described
  const loaded = await loadSchema(client, schema, { file, signal })
  if (!loaded.ok) throw new RequestError(loaded.failure)
  if (loaded.value.phase !== 'known')
    throw new AccessError(
      'The backend does not list its tables. Give a schema file on the Data page, then review again.',
    )
  const { tables, functions } = loaded.value
  return {
    tables: tables.map(({ name, columns }) => ({
      schema,
      name,
      kind: 'unknown',
      columns: columns.map(column => ({
        name: column.name,
        type: column.format,
        required: column.required,
        hasDefault: column.hasDefault,
        made: column.generation !== undefined,
        isKey: column.isKey,
        options: column.options && [...column.options],
        references: referenceOf(column, schema),
      })),
    })),
    policies: undefined,
    functions: functions.map(({ name, isReading, args }) => ({
      schema,
      name,
      isVolatile: !isReading,
      args: args.map(arg => ({ name: arg.name, type: arg.format, hasDefault: arg.hasDefault })),
    })),
    buckets: await listBuckets(client, signal),
  }
}

const referenceOf = ({ references }: Column, schema: string) =>
  references && { schema, table: references.table, column: references.column }

const bucketList = array(object({ id: string(), public: fallback(boolean(), false) }))

/** The buckets that the current account sees. */
async function listBuckets(client: ChartroomClient, signal: AbortSignal): Promise<Catalog['buckets']> {
  const response = await client.fetch('/storage/v1/bucket', { signal })
  const parsed = safeParse(bucketList, await response.json().catch(() => undefined))
  return parsed.success ? parsed.output : []
}
