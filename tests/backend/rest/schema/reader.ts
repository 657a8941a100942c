// A database created by SQL, and what the schema cache reads from it.
import { afterAll } from 'vitest'
import { openDatabase, type Database } from '../../../../backend/database/index.ts'
import { bare } from '../../../../backend/project/index.ts'
import {
  readSchemaCache,
  type Relationship,
  type SchemaCache,
  type Table,
} from '../../../../backend/rest/schema/index.ts'
import { generateSecrets } from '../../../../backend/shared/data-directory.ts'
import { createMemoryBlobs } from '../../../../backend/storage/index.ts'
import { isOnServer } from '../../../harness/engine.ts'

export interface Reader {
  readonly database: Database
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Reads the schema, by default of `public`. */
  read(schemas?: readonly string[]): Promise<SchemaCache>
  /** Reads the schema after statements that are rolled back. */
  readAfter(script: string, limits?: Limits): Promise<SchemaCache>
}

type Limits = Parameters<typeof readSchemaCache>[1]

/** Opens a new database and runs SQL as its owner, and before that as a superuser. */
export async function startReader(script = '', adminScript = ''): Promise<Reader> {
  const engine = { kind: isOnServer ? 'postgres' : 'pglite' } as const
  const database = await openDatabase(
    { secrets: generateSecrets(), engine },
    bare(undefined, createMemoryBlobs()),
  )
  afterAll(() => database.close())
  if (adminScript) await database.admin(adminScript)
  await database.owner(tx => tx.script(script))
  const readWith = async (statements: string, limits: Limits) => {
    let cache: SchemaCache | undefined
    const undo = new Error('Rolled back.')
    const run = database.owner(async tx => {
      await tx.script(statements)
      cache = await readSchemaCache((sql, parameters) => tx.query(sql, parameters), limits)
      throw undo
    })
    await run.catch((error: unknown) => {
      if (error !== undo) throw error
    })
    if (!cache) throw new Error('The transaction ended without a result.')
    return cache
  }
  return {
    database,
    query: (sql, parameters) => database.owner(tx => tx.query(sql, parameters)),
    read: (schemas = ['public']) => readWith('', { schemas }),
    readAfter: (statements, limits = {}) => readWith(statements, limits),
  }
}

/** A table that must exist. */
export function tableOf(cache: SchemaCache, name: string, schema = 'public'): Table {
  const table = cache.table({ schema, name })
  if (!table) throw new Error(`There is no table ${schema}.${name}.`)
  return table
}

/** Columns by name, with some of their properties. */
export function columnsOf<
  Key extends 'type' | 'baseType' | 'isNullable' | 'default' | 'maxLength' | 'comment',
>(table: Table, key: Key) {
  return [...table.columns.values()].map(column => [column.name, column[key]])
}

/** One line for each relationship, in the order of the cache. */
export const linesOf = (cache: SchemaCache, name: string, schema = 'public', target = schema) =>
  cache.relationships({ schema, name }, target).map(lineOf)

function lineOf(relationship: Relationship): string {
  const { to, isSelf } = relationship
  const self = isSelf ? ' self' : ''
  if (relationship.kind === 'computed')
    return `${relationship.isToOne ? 'to-one' : 'to-many'} ${to.name} by ${relationship.function.name}()${self}`
  const { cardinality, constraint, columns, junction, isParent, toIsView } = relationship
  const pairs = (all: readonly (readonly [string, string])[]) => all.map(pair => pair.join('=')).join()
  const way = junction
    ? `${junction.table.name}: ${constraint} ${pairs(junction.fromColumns)}, ${junction.toConstraint} ${pairs(junction.toColumns)}`
    : `${constraint} ${pairs(columns)}`
  return `${cardinality}${isParent ? ' (parent)' : ''} ${to.name} by ${way}${self}${toIsView ? ' view' : ''}`
}

/** Names that are legal in PostgreSQL, and hard for a program that reads them. */
export const ODD_NAMES = [
  'constructor',
  '__proto__',
  'a"b',
  'a.b',
  "a'b",
  'with space',
  'UPPER',
  'ünïcödé 🚢',
  '{',
  '}',
  '{}}',
  'back\\slash\\',
  '(a',
  'a)',
  ',',
  ' :targetList ({',
  ' :resno 9 :resorigtbl 1 :resorigcol 1 ',
  '<>',
  'line\nbreak',
]

/** Quotes an identifier. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
