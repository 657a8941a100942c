// Columns of the rows that a row refers to, by one foreign key or by two: chosen, requested and read.
import { array, object, optional, string, type InferOutput } from 'valibot'
import { embeddingOf, type ForeignKey, keysFrom } from './foreign-keys.ts'
import type { Column, FieldType, Row, TableInfo } from './schema.ts'
import { exactRow, selectOf, type TypedColumn } from './exact-select.ts'
import { selectName } from './rest-names.ts'

const step = object({
  table: string(),
  /** The columns of the foreign key. */
  columns: array(string()),
  /** Name of the constraint. */
  key: optional(string()),
})

export const relatedSchema = object({
  /** Name of its column in the grid: `berth › harbour › name`. */
  name: string(),
  /** From the table of the grid to the row. */
  steps: array(step),
  /** The column of that row. */
  column: string(),
})

type RelatedStep = InferOutput<typeof step>

/** A column of a row that each row refers to. */
export interface RelatedColumn extends InferOutput<typeof relatedSchema> {
  /** Of the column; unknown in what was stored. */
  readonly type?: FieldType
  readonly format?: string
}

/** As stored in layouts and saved queries: types may change. */
export const storedRelated = ({ name, steps, column }: RelatedColumn): InferOutput<typeof relatedSchema> => ({
  name,
  steps: steps.map(each => ({ ...each, columns: [...each.columns] })),
  column,
})

/** A shown row refers to a row that row policies hide. */
export const NOT_VISIBLE: object = Object.freeze({ notVisible: true })

/** Between the parts of a name. */
const ARROW = ' › '

const stepOf = ({ name, table, pairs }: ForeignKey): RelatedStep => ({
  table,
  columns: pairs.map(pair => pair.ours),
  ...(name === undefined ? {} : { key: name }),
})

const hasColumns = ({ pairs }: ForeignKey, columns: readonly string[]): boolean =>
  pairs.length === columns.length && pairs.every((pair, at) => pair.ours === columns[at])

const keyOf = (info: TableInfo, { table, columns, key }: RelatedStep): ForeignKey | undefined =>
  keysFrom(info).find(
    each => each.table === table && hasColumns(each, columns) && (key === undefined || each.name === key),
  )

/** The columns of the key, and the table where another key has the same columns. */
const stepName = (info: TableInfo, { table, columns }: RelatedStep): string => {
  const isShared = keysFrom(info).filter(each => hasColumns(each, columns)).length > 1
  return columns.join(', ') + (isShared ? ` (${table})` : '')
}

type InfoOf = (table: string) => TableInfo | undefined

/** The columns of the row that one or two keys refer to; none if the table is not known. */
export const relatedChoices = (
  info: TableInfo,
  path: readonly ForeignKey[],
  infoOf: InfoOf,
): readonly RelatedColumn[] => {
  const tables = [info, ...path.map(({ table }) => infoOf(table))]
  const steps = path.map(stepOf)
  const names = steps.map((each, at) => {
    const from = tables[at]
    return from === undefined ? '' : stepName(from, each)
  })
  const columns = tables.at(-1)?.columns ?? []
  return columns.map(({ name: column, type, format }) => {
    const name = [...names, column].join(ARROW)
    const isTaken = info.columns.some(each => each.name === name)
    return { name: isTaken ? name + ARROW.trimEnd() : name, steps, column, type, format }
  })
}

/** The stored choices as the tables are now: without what no longer exists, or cannot be embedded. */
export const currentRelated = (
  info: TableInfo | undefined,
  related: readonly RelatedColumn[],
  infoOf: InfoOf,
): readonly RelatedColumn[] => {
  if (info === undefined) return []
  return related.flatMap(({ steps, column }) => {
    const path: ForeignKey[] = []
    let from: TableInfo | undefined = info
    for (const each of steps) {
      const key: ForeignKey | undefined = from && keyOf(from, each)
      if (from === undefined || key === undefined || 'reason' in embeddingOf(from.name, key)) return []
      path.push(key)
      from = infoOf(key.table)
    }
    return relatedChoices(info, path, infoOf).filter(each => each.column === column)
  })
}

/** As a column of the grid. */
const gridColumn = (related: RelatedColumn): Column => ({
  name: related.name,
  type: related.type ?? 'text',
  format: related.format ?? 'unknown',
  required: false,
  hasDefault: false,
  isKey: false,
  related,
})

/** The table's columns, each followed by those of the row that it refers to. */
export const withRelatedColumns = (
  columns: readonly Column[],
  related: readonly RelatedColumn[],
): readonly Column[] =>
  related.length === 0
    ? columns
    : columns.flatMap(column => [
        column,
        ...related.filter(({ steps: [first] }) => first?.columns.at(-1) === column.name).map(gridColumn),
      ])

/** Why a column is not sorted by; undefined if it is. */
export const unsortedReason = ({ related }: Pick<Column, 'related'>): string | undefined =>
  related === undefined || related.steps.length === 1
    ? undefined
    : 'PostgREST sorts by direct references only'

/** A row that a request embeds. */
interface Embed {
  readonly alias: string
  readonly step: RelatedStep
  readonly term: string
  /** Columns that are shown, and those of the keys that lead further. */
  readonly columns: readonly TypedColumn[]
  readonly embeds: readonly Embed[]
}

const isSameStep = (one: RelatedStep | undefined, b: RelatedStep): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(b)

/** The columns of the table must not have the names of embedded rows. */
const prefixFor = (columns: readonly Pick<Column, 'name'>[]): string => {
  let prefix = 'related_'
  while (columns.some(({ name }) => name.startsWith(prefix))) prefix = `related_${prefix}`
  return prefix
}

const typedColumn = ({ column, type = 'text', format = 'unknown' }: RelatedColumn): TypedColumn => ({
  name: column,
  type,
  format,
})

const distinct = (columns: readonly TypedColumn[]): readonly TypedColumn[] => [
  ...new Map(columns.map(column => [column.name, column])).values(),
]

const embedsAt = (
  from: string,
  related: readonly RelatedColumn[],
  prefix: string,
  depth: number,
): readonly Embed[] => {
  const steps: RelatedStep[] = []
  for (const { steps: path } of related) {
    const next = path[depth]
    if (next !== undefined && !steps.some(each => isSameStep(each, next))) steps.push(next)
  }
  return steps.map((each, at): Embed => {
    const ofStep = related.filter(({ steps: path }) => isSameStep(path[depth], each))
    const further = ofStep.filter(({ steps: path }) => path.length > depth + 1)
    const keys = further.flatMap(({ steps: path }) => path[depth + 1]?.columns ?? [])
    const { table, columns: ofKey, key: name } = each
    const embedding = embeddingOf(from, {
      table,
      pairs: ofKey.map(column => ({ ours: column, theirs: '' })),
      ...(name === undefined ? {} : { name }),
    })
    return {
      alias: prefix + String(at),
      step: each,
      term: 'term' in embedding ? embedding.term : selectName(table),
      columns: distinct([
        ...ofStep.filter(({ steps: path }) => path.length === depth + 1).map(typedColumn),
        // As text, whatever their types: only whether they are null matters.
        ...keys.map((column): TypedColumn => ({ name: column, type: 'text', format: 'unknown' })),
      ]),
      embeds: embedsAt(table, further, prefix, depth + 1),
    }
  })
}

const selectIn = ({ alias, term, columns, embeds }: Embed, isExact: boolean): string => {
  const names = isExact ? selectOf(columns) : columns.map(({ name }) => selectName(name)).join(',')
  const parts = [
    ...(names === '*' || names === '' ? [] : [names]),
    ...embeds.map(each => selectIn(each, isExact)),
  ]
  return `${alias}:${term}(${parts.join(',')})`
}

/** The related columns of a request. */
export interface RelatedRead {
  /** Terms of `select`, one for each key. */
  readonly terms: readonly string[]
  /** Names of the embedded rows in the response. */
  readonly aliases: readonly string[]
  /** The name of a related column in `order`; undefined for other columns. */
  readonly orderName: (name: string) => string | undefined
  /** Adds the related values to a row, whose embedded rows are in the response. */
  readonly read: (row: Row, response: Row) => Row
}

interface RelatedReadOptions {
  readonly table: string
  readonly related: readonly RelatedColumn[]
  /** The table's columns. */
  readonly columns: readonly Pick<Column, 'name'>[]
  /** Whether values are selected as PostgreSQL text where JSON would change them. */
  readonly isExact: boolean
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value of an embedded row; `NOT_VISIBLE` if the key is complete, but the row is not there. */
const valueIn = (embeds: readonly Embed[], row: Row, related: RelatedColumn, isExact: boolean): unknown => {
  let now: Row = row
  let level: readonly Embed[] = embeds
  for (const each of related.steps) {
    const embed = level.find(({ step: otherStep }) => isSameStep(otherStep, each))
    const inner = embed && now[embed.alias]
    if (embed === undefined) return null
    if (!isRow(inner)) {
      const isComplete = each.columns.every(name => now[name] !== null && now[name] !== undefined)
      return isComplete ? NOT_VISIBLE : null
    }
    // The embedded rows are not columns.
    now = { ...inner, ...(isExact ? exactRow(embed.columns, inner) : inner) }
    level = embed.embeds
  }
  return now[related.column] ?? null
}

/** How a request reads the related columns of a table. */
export const relatedRead = ({ table, related, columns, isExact }: RelatedReadOptions): RelatedRead => {
  const names = [...columns, ...related.map(({ column }) => ({ name: column }))]
  const embeds = embedsAt(table, related, prefixFor(names), 0)
  return {
    terms: embeds.map(embed => selectIn(embed, isExact)),
    aliases: embeds.map(({ alias }) => alias),
    orderName: name => {
      const column = related.find(each => each.name === name)
      const [first, ...moreSteps] = column?.steps ?? []
      const embed = embeds.find(({ step: each }) => first !== undefined && isSameStep(each, first))
      if (column === undefined || embed === undefined || moreSteps.length > 0) return undefined
      return `${embed.alias}(${selectName(column.column)})`
    },
    read: (row, response) =>
      withRelatedValues(
        row,
        related.map(each => [each.name, valueIn(embeds, { ...response, ...row }, each, isExact)]),
      ),
  }
}

/**
 * The row with values under the names of related columns. They are not enumerable: a row's own values alone are
 * compared, stored and sent.
 */
const withRelatedValues = (row: Row, values: readonly (readonly [name: string, value: unknown])[]): Row =>
  values.length === 0
    ? row
    : Object.defineProperties(
        { ...row },
        Object.fromEntries(values.map(([name, value]) => [name, { value, enumerable: false }])),
      )

/** The changed row with the related values of the last one, as far as its keys are the same. */
export const keepRelated = (before: Row, row: Row, related: readonly RelatedColumn[]): Row =>
  withRelatedValues(
    row,
    related
      .filter(({ steps: [first] }) => first?.columns.every(name => before[name] === row[name]))
      .filter(({ name }) => Object.hasOwn(before, name))
      .map(({ name }) => [name, before[name]]),
  )

/** The row with its related values as ordinary values, for texts and files; hidden ones are null. */
export const flatRow = (row: Row, related: readonly RelatedColumn[]): Row => ({
  ...row,
  ...Object.fromEntries(
    related.map(({ name }) => [name, row[name] === NOT_VISIBLE ? null : (row[name] ?? null)]),
  ),
})

/** The text of a row with its related values, for comparisons. */
export const fullText = (row: Row): string =>
  JSON.stringify(Object.getOwnPropertyNames(row).map(name => [name, row[name]]))
