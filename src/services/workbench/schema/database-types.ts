// Reads the tables and functions of `database.types.ts`, as `supabase gen types typescript` writes it.
import type { RpcFunction } from '../functions/rpc-functions.ts'
import type { ForeignKey } from '../table/foreign-keys.ts'
import {
  ALL_RIGHTS,
  byReading,
  type Column,
  type FieldType,
  type Reference,
  type TableInfo,
} from '../table/schema.ts'
import { type Member, parseDeclaration, type TypeNode, TypeSyntaxError } from './type-syntax.ts'
import type { ReadSchema, SchemaContent } from './schema-content.ts'

const NOT_GENERATED =
  'No type "Database" was found. Generate the file with `supabase gen types typescript`, or choose another file.'

/** Parses the text of the file; problems name the line. */
export function readDatabaseTypes(text: string): ReadSchema {
  try {
    const database = parseDeclaration(text, 'Database')
    if (database === undefined) return { ok: false, problem: NOT_GENERATED }
    if (database.kind !== 'object')
      return {
        ok: false,
        problem: 'The type "Database" is not an object type with a member for each schema.',
      }
    const schemas = [...database.members].filter(
      ([name, { type }]) => !name.startsWith('__') && membersOf(type).has('Tables'),
    )
    if (schemas.length === 0)
      return { ok: false, problem: 'The type "Database" has no schema with the member "Tables".' }
    const content = schemas.map(([name, { type }]) => [name, contentOf(type, database)] as const)
    return { ok: true, schemas: new Map(content) }
  } catch (error) {
    if (!(error instanceof TypeSyntaxError)) throw error
    return { ok: false, problem: `Line ${error.line}: ${error.message}.` }
  }
}

const NO_MEMBERS: ReadonlyMap<string, Member> = new Map()

const membersOf = (type: TypeNode | undefined): ReadonlyMap<string, Member> =>
  type?.kind === 'object' ? type.members : NO_MEMBERS

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true })

function contentOf(schema: TypeNode, database: TypeNode): SchemaContent {
  const members = membersOf(schema)
  const of = (group: string) => [...membersOf(members.get(group)?.type)]
  const tables = [
    ...of('Tables').map(([name, { type }]) => toTable(name, type, database)),
    // The types do not tell materialized views from others, nor foreign tables from tables.
    ...of('Views').map(([name, { type }]) => ({ ...toTable(name, type, database), kind: 'view' as const })),
  ]
  const functions = of('Functions').map(([name, { type }]) => toFunction(name, type, database))
  return { tables: tables.sort(byName), functions: functions.sort(byName) }
}

/** The types name no primary key, and no privileges. */
function toTable(name: string, type: TypeNode, database: TypeNode): TableInfo {
  const members = membersOf(type)
  const [row, insert, update] = ['Row', 'Insert', 'Update'].map(part => members.get(part)?.type)
  const canWrite = insert !== undefined
  const keys = keysIn(members.get('Relationships')?.type)
  const references = referencesIn(keys)
  const columns = [...membersOf(row)].map(([column, { type: value }]): Column => {
    const inserted = membersOf(insert).get(column)
    const isNullable = partsOf(value).some(part => isNamed(part, 'null'))
    const isMade = canWrite && !isWritable(inserted) && !isWritable(membersOf(update).get(column))
    const reference = references.get(column)
    return {
      name: column,
      ...valueOf(value, database),
      required: !isNullable,
      hasDefault: isMade || (inserted?.isOptional === true && !isNullable),
      // The types have no defaults, and those of a view no columns that must have a value.
      ...(isNullable && !isMade ? { isDefaultUnknown: true as const } : {}),
      isKey: false,
      ...(isMade ? { generation: 'generated' as const } : {}),
      ...(reference === undefined ? {} : { references: reference }),
    }
  })
  const rights = canWrite ? ALL_RIGHTS : { insert: false, update: false, delete: false }
  return { name, isKnown: true, isKeyUnknown: true, rights, keys, ...byReading(columns) }
}

/** Generated columns are left out, or have the type `never`. */
const isWritable = (member: Member | undefined): boolean =>
  member !== undefined && !isNamed(member.type, 'never')

/** A view of the other table is listed under the same name of a key, too; the table comes first. */
function keysIn(relationships: TypeNode | undefined): readonly ForeignKey[] {
  const byName = new Map<string, ForeignKey>()
  for (const item of relationships?.kind === 'tuple' ? relationships.items : []) {
    const members = membersOf(item)
    const [name, table] = ['foreignKeyName', 'referencedRelation'].map(each =>
      textIn(members.get(each)?.type),
    )
    const [ours, theirs] = ['columns', 'referencedColumns'].map(each => textsIn(members.get(each)?.type))
    if (table === undefined || ours === undefined || theirs === undefined) continue
    const pairs = ours.map((column, at) => ({ ours: column, theirs: theirs[at] ?? '' }))
    const id = name ?? JSON.stringify([table, pairs])
    if (!byName.has(id)) byName.set(id, { table, pairs, ...(name === undefined ? {} : { name }) })
  }
  return [...byName.values()]
}

function referencesIn(keys: readonly ForeignKey[]): ReadonlyMap<string, Reference> {
  const byColumn = new Map<string, Reference>()
  for (const { table, pairs } of keys)
    for (const { ours, theirs } of pairs)
      if (!byColumn.has(ours))
        byColumn.set(ours, { table, column: theirs, ...(pairs.length > 1 ? { pairs } : {}) })
  return byColumn
}

const textIn = (type: TypeNode | undefined): string | undefined =>
  type?.kind === 'literal' ? type.text : undefined

const textsIn = (type: TypeNode | undefined): readonly string[] | undefined =>
  type?.kind === 'tuple'
    ? type.items.flatMap(item => (item.kind === 'literal' ? [item.text] : []))
    : undefined

/** Of several variants, the last one, as in the description of PostgREST. */
function toFunction(name: string, type: TypeNode, database: TypeNode): RpcFunction {
  const variant = partsOf(type).at(-1)
  const args = [...membersOf(membersOf(variant).get('Args')?.type)].map(
    ([argument, { type: value, isOptional }]): Column => ({
      name: argument,
      ...valueOf(value, database),
      required: false,
      hasDefault: isOptional,
      isKey: false,
    }),
  )
  return { name, about: '', isReading: false, args }
}

const partsOf = (type: TypeNode): readonly TypeNode[] =>
  type.kind === 'union' ? type.parts.flatMap(partsOf) : [type]

const isNamed = (type: TypeNode, name: string): boolean => type.kind === 'name' && type.name === name

const TYPES: Readonly<Record<string, FieldType>> = { number: 'number', boolean: 'boolean', Json: 'json' }

/** The types tell numbers, booleans, JSON, lists and enums apart; everything else is text. */
function valueOf(type: TypeNode, database: TypeNode): Pick<Column, 'type' | 'format' | 'options'> {
  const parts = partsOf(type).filter(part => !isNamed(part, 'null') && !isNamed(part, 'undefined'))
  const options = optionsIn(parts)
  if (options !== undefined) return { type: 'enum', format: 'enum', options }
  const [onlyPart] = parts
  if (parts.length !== 1 || onlyPart === undefined) return { type: 'text', format: 'unknown' }
  if (onlyPart.kind === 'array')
    return { type: 'array', format: `${valueOf(onlyPart.item, database).format}[]` }
  if (onlyPart.kind === 'object') return { type: 'json', format: 'json' }
  if (onlyPart.kind === 'index') {
    const path = pathOf(onlyPart)
    const enumOptions = optionsIn(partsOf(typeAt(database, path.slice(1)) ?? onlyPart))
    const format = path.at(-1) ?? 'unknown'
    return enumOptions === undefined
      ? { type: 'json', format }
      : { type: 'enum', format, options: enumOptions }
  }
  const name = onlyPart.kind === 'name' ? onlyPart.name : 'string'
  return { type: TYPES[name] ?? 'text', format: name === 'string' ? 'text' : name.toLowerCase() }
}

const optionsIn = (parts: readonly TypeNode[]): readonly string[] | undefined => {
  const texts = parts.flatMap(part => (part.kind === 'literal' ? [part.text] : []))
  return texts.length > 0 && texts.length === parts.length ? texts : undefined
}

/** `Database["public"]["Enums"]["rig"]` as `Database`, `public`, `Enums`, `rig`. */
function pathOf(type: TypeNode): readonly string[] {
  if (type.kind === 'index') return [...pathOf(type.of), ...pathOf(type.at)]
  return type.kind === 'literal' ? [type.text] : type.kind === 'name' ? [type.name] : []
}

const typeAt = (type: TypeNode, path: readonly string[]): TypeNode | undefined =>
  path.reduce<TypeNode | undefined>((at, name) => membersOf(at).get(name)?.type, type)
