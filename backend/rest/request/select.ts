// The parameter `select`: columns, aggregates and embedded resources.
import type { Aggregate, SelectColumn, SelectEmbed, SelectItem } from './api-request.ts'
import { NO_JSON_PATH, field, fieldName, identifier, spacedComma } from './names.ts'
import type { Scanner } from './scanner.ts'

/** Empty if there is none. What follows a closing parenthesis is ignored. */
export function selectItems(scanner: Scanner, level = 0): readonly SelectItem[] | undefined {
  scanner.checkLevel(level)
  const items: SelectItem[] = []
  for (;;) {
    const { position } = scanner
    const item = selectItem(scanner, level)
    const isAbsent = item === undefined && scanner.position === position
    if (item === undefined) return isAbsent && items.length === 0 ? items : undefined
    items.push(item)
    const end = scanner.position
    if (!spacedComma(scanner)) return scanner.position === end ? items : undefined
  }
}

type Embed = Omit<SelectEmbed, 'select'>

function selectItem(scanner: Scanner, level: number): SelectItem | undefined {
  const embed = scanner.attempt(spreadEmbed) ?? scanner.attempt(plainEmbed)
  if (embed === undefined) return selectColumn(scanner)
  if (!scanner.word('(')) return undefined
  const select = selectItems(scanner, level + 1)
  return select !== undefined && scanner.word(')') ? { ...embed, select } : undefined
}

function spreadEmbed(scanner: Scanner): Embed | undefined {
  scanner.spaces()
  if (!scanner.literal('...')) return undefined
  const relation = fieldName(scanner)
  return relation === undefined ? undefined : embedded(scanner, relation, undefined, true)
}

function plainEmbed(scanner: Scanner): Embed | undefined {
  scanner.spaces()
  const alias = scanner.attempt(aliasName)
  const relation = fieldName(scanner)
  // `count` is the aggregate.
  if (relation === undefined || relation === 'count') return undefined
  return embedded(scanner, relation, alias, false)
}

/** Reads what follows the relation's name up to its parenthesis: a hint and the join's type, in either order. */
function embedded(
  scanner: Scanner,
  relation: string,
  alias: string | undefined,
  isSpread: boolean,
): Embed | undefined {
  let hint: string | undefined
  let join: 'inner' | 'left' | undefined
  for (let count = 0; count < 2 && scanner.word('!'); count++) {
    const type = joinType(scanner)
    const name = type === undefined ? scanner.attempt(fieldName) : undefined
    if (type === undefined && name === undefined) return undefined
    join ??= type
    hint ??= name
  }
  if (!scanner.isNext('(')) return undefined
  return { kind: 'embed', relation, alias, hint, join, isSpread }
}

function joinType(scanner: Scanner): 'inner' | 'left' | undefined {
  if (scanner.word('left')) return 'left'
  return scanner.word('inner') ? 'inner' : undefined
}

/** A name before a colon, but not before the two of a cast. */
function aliasName(scanner: Scanner): string | undefined {
  const name = fieldName(scanner)
  if (name === undefined || !scanner.word(':')) return undefined
  const { position } = scanner
  if (!scanner.isNext(':')) return name
  scanner.note(position + 1, { rejected: position })
  return undefined
}

function selectColumn(scanner: Scanner): SelectColumn | undefined {
  scanner.spaces()
  const column = scanner.attempt(allColumns) ?? scanner.attempt(rowCount) ?? namedColumn(scanner)
  if (column !== undefined) scanner.spaces()
  return column
}

const ALL = { name: '*', jsonPath: NO_JSON_PATH }

function allColumns(scanner: Scanner): SelectColumn | undefined {
  if (!scanner.word('*') || !endsColumn(scanner)) return undefined
  return column({ field: ALL })
}

function rowCount(scanner: Scanner): SelectColumn | undefined {
  const alias = scanner.attempt(aliasName)
  if (!scanner.literal('count()')) return undefined
  const aggregateCast = castTo(scanner)
  if (aggregateCast === undefined || !endsColumn(scanner)) return undefined
  return column({ field: ALL, alias, aggregate: 'count', aggregateCast: aggregateCast.type })
}

function namedColumn(scanner: Scanner): SelectColumn | undefined {
  const alias = scanner.attempt(aliasName)
  const name = field(scanner)
  if (name === undefined) return undefined
  const castType = castTo(scanner)
  if (castType === undefined) return undefined
  const aggregate = scanner.attempt(aggregation)
  const aggregateCast = castTo(scanner)
  if (aggregateCast === undefined || !endsColumn(scanner)) return undefined
  return column({ field: name, alias, castType: castType.type, aggregate, aggregateCast: aggregateCast.type })
}

const column = (parts: Partial<SelectColumn> & Pick<SelectColumn, 'field'>): SelectColumn => ({
  kind: 'column',
  field: parts.field,
  alias: parts.alias,
  castType: parts.castType,
  aggregate: parts.aggregate,
  aggregateCast: parts.aggregateCast,
})

const NO_CAST = { type: undefined }

/** `type` is absent without a cast; `undefined` is a cast that has no type. */
function castTo(scanner: Scanner): { readonly type: string | undefined } | undefined {
  const { position } = scanner
  if (!scanner.literal('::')) return scanner.position === position ? NO_CAST : undefined
  const type = identifier(scanner)
  return type === undefined ? undefined : { type }
}

function aggregation(scanner: Scanner): Aggregate | undefined {
  if (!scanner.word('.')) return undefined
  const aggregate = aggregateName(scanner)
  return aggregate !== undefined && scanner.literal('()') ? aggregate : undefined
}

/** The beginning of one of the first three excludes the others. */
function aggregateName(scanner: Scanner): Aggregate | undefined {
  const { position } = scanner
  for (const name of ['sum', 'avg', 'count'] as const) {
    if (scanner.literal(name)) return name
    if (scanner.position !== position) return undefined
  }
  if (scanner.word('max')) return 'max'
  return scanner.word('min') ? 'min' : undefined
}

const endsColumn = (scanner: Scanner): boolean =>
  scanner.isNext(')') || scanner.isNext(',') || scanner.isAtEnd()
