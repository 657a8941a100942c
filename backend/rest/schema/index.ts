// Reads the schema of a database for REST, with one statement.
import { findPrimaryKeys, findReferences, findShown, KEYS, type KeyRow } from './keys.ts'
import { COMPUTED, decodeComputed, findRelationships, type ComputedRow } from './relationships.ts'
import {
  decodeMediaHandlers,
  decodeRepresentations,
  MEDIA_HANDLERS,
  REPRESENTATIONS,
  type MediaHandlerRow,
  type RepresentationRow,
} from './representations.ts'
import { decodeRoutines, ROUTINES, ROUTINES_TABLES, type RoutineRow } from './routines.ts'
import type { RestLimits, SchemaCache } from './schema-cache.ts'
import {
  decodeRoleSettings,
  decodeSettings,
  DEFAULT_SCHEMAS,
  DEFAULT_SEARCH_PATH,
  SETTINGS,
  SETTINGS_TABLES,
  type SettingsRow,
} from './settings.ts'
import {
  decodeRelations,
  decodeTables,
  findGenerated,
  GENERATED,
  TABLES,
  TABLES_TABLES,
  type GeneratedRow,
  type RelationRow,
} from './tables.ts'
import { traceViews, VIEWS, type ViewRow } from './view-origins.ts'

export type * from './schema-cache.ts'

const PARTS = {
  settings: SETTINGS,
  relations: TABLES,
  keys: KEYS,
  generated: GENERATED,
  views: VIEWS,
  routines: ROUTINES,
  computed: COMPUTED,
  representations: REPRESENTATIONS,
  mediaHandlers: MEDIA_HANDLERS,
}

/** Parts without rows are null. */
interface SchemaDocument {
  readonly settings: SettingsRow
  readonly relations: readonly RelationRow[] | null
  readonly keys: readonly KeyRow[] | null
  readonly generated: readonly GeneratedRow[] | null
  readonly views: readonly ViewRow[] | null
  readonly routines: readonly RoutineRow[] | null
  readonly computed: readonly ComputedRow[] | null
  readonly representations: readonly RepresentationRow[] | null
  readonly mediaHandlers: readonly MediaHandlerRow[] | null
}

const NAMED_PARTS = Object.entries(PARTS).map(([name, sql]) => `'${name}', ${sql}`)

/**
 * Without a search path, PostgreSQL prints qualified names. It has none while the document is computed: a `case`
 * evaluates its condition first, and `offset 0` keeps the outer query from being merged with the inner one.
 */
const STATEMENT = `
with ${SETTINGS_TABLES}, ${TABLES_TABLES}, ${ROUTINES_TABLES}
select document, set_config('search_path', path, true) as path from (
  select current_setting('search_path') as path, case when set_config('search_path', '', true) = '' then
    json_build_object(${NAMED_PARTS.join(', ')})::text end as document
  offset 0
) as read`

/**
 * Reads tables, relationships, functions and settings.
 * @param query runs SQL as the owner
 * @param limits for what the database does not set
 */
export async function readSchemaCache(
  query: <Row>(sql: string, parameters?: unknown[]) => Promise<readonly Row[]>,
  limits: RestLimits,
): Promise<SchemaCache> {
  const rows = await query<{ document: string }>(STATEMENT, [
    JSON.stringify(limits.schemas ?? DEFAULT_SCHEMAS),
    JSON.stringify(limits.extraSearchPath ?? DEFAULT_SEARCH_PATH),
  ])
  const document = JSON.parse(rows[0]?.document ?? '{}') as SchemaDocument
  const { settings, hoisted } = decodeSettings(document.settings, limits)
  const relationRows = document.relations ?? []
  const keys = document.keys ?? []
  const relations = decodeRelations(relationRows)
  const views = traceViews(document.views ?? [])
  const columnShowings = findShown(relations, views)
  const tables = decodeTables(
    relationRows,
    findPrimaryKeys(keys, relations, columnShowings),
    findGenerated(document.generated ?? [], views),
  )
  const routines = decodeRoutines(document.routines ?? [], hoisted)
  return {
    table: tables.get,
    tables: tables.inSchema,
    relationships: findRelationships(
      findReferences(keys, relations, columnShowings),
      decodeComputed(document.computed ?? []),
      tables.get,
    ),
    functions: routines.byName,
    allFunctions: routines.inSchema,
    representation: decodeRepresentations(document.representations ?? []),
    mediaHandler: decodeMediaHandlers(document.mediaHandlers ?? []),
    roleSettings: await decodeRoleSettings(document.settings, query),
    settings,
  }
}
