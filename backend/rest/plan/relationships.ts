// The relationship that an embedded resource names, and the errors if there is none or more than one.
import type { SelectEmbed } from '../request/index.ts'
import { RestError } from '../rest-error.ts'
import type { ColumnPair, KeyRelationship, Name, Relationship, SchemaCache } from '../schema/index.ts'
import { likeliest } from './likeliest.ts'

export const isToOne = (relationship: Relationship): boolean =>
  relationship.kind === 'computed'
    ? relationship.isToOne
    : relationship.cardinality === 'many-to-one' || relationship.cardinality === 'one-to-one'

/**
 * @param from the table or view that embeds
 * @throws RestError PGRST200 without a match, PGRST201 with several
 */
export function findRelationship(cache: SchemaCache, from: Name, embed: SelectEmbed): Relationship {
  const all = cache.relationships(from, from.schema)
  const matching = all.filter(relationship => matches(relationship, embed))
  const [first, second] = matching
  if (!first) throw noRelationship(cache, from, embed)
  if (second) throw severalRelationships(from, embed, matching.filter(isKeyed))
  return first
}

const isKeyed = (relationship: Relationship): relationship is KeyRelationship => relationship.kind === 'key'

function matches(relationship: Relationship, { relation, hint }: SelectEmbed): boolean {
  if (relationship.kind === 'computed') return relation === relationship.function.name
  const { cardinality, columns, constraint, junction, to, toIsView } = relationship
  const [firstPair, ...morePairs] = cardinality === 'many-to-many' ? [] : columns
  const [ours, theirs] = firstPair && morePairs.length === 0 ? firstPair : []
  const isNamed = relation === to.name
  if (relationship.isSelf) {
    if (hint !== undefined) return isNamed && cardinality === 'one-to-many' && hint === theirs
    return (isNamed && cardinality === 'one-to-many') || (relation === ours && cardinality === 'many-to-one')
  }
  const isKey = (name: string) => cardinality !== 'many-to-many' && name === constraint
  if (hint === undefined) return isNamed || ((isKey(relation) || relation === ours) && !toIsView)
  return isNamed && (isKey(hint) || hint === ours || hint === theirs || hint === junction?.table.name)
}

function noRelationship(
  cache: SchemaCache,
  { schema, name }: Name,
  { relation, hint }: SelectEmbed,
): RestError {
  const searched = `Searched for a foreign key relationship between '${name}' and '${relation}'`
  const using = hint === undefined ? '' : ` using the hint '${hint}'`
  return new RestError({
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${name}' and '${relation}' in the schema cache`,
    details: `${searched}${using} in the schema '${schema}', but no matches were found.`,
    hint: relationshipHint(cache, { schema, name }, relation),
  })
}

/** A similar name of the table that embeds, if it has no relationships; else of those that it has. */
function relationshipHint(cache: SchemaCache, from: Name, relation: string): string | undefined {
  const relationships = cache.relationships(from, from.schema)
  const related = cache
    .tables(from.schema)
    .filter(table => cache.relationships(table, from.schema).length > 0)
    .map(({ name }) => name)
  const [misspelled, candidates] =
    relationships.length === 0 ? [from.name, related] : [relation, relationships.map(({ to }) => to.name)]
  const similar = candidates.includes(misspelled) ? undefined : likeliest(misspelled, candidates)
  return similar === undefined ? undefined : `Perhaps you meant '${similar}' instead of '${misspelled}'.`
}

function severalRelationships(
  from: Name,
  { relation }: SelectEmbed,
  relationships: readonly KeyRelationship[],
): RestError {
  const ways = relationships.map(
    ({ constraint, junction, to }) => `'${to.name}!${junction?.table.name ?? constraint}'`,
  )
  const hint = `Try changing '${relation}' to one of the following: ${ways.join(', ')}.`
  return new RestError({
    status: 300,
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${from.name}' and '${relation}'`,
    details: relationships.map(describe),
    hint: `${hint} Find the desired relationship in the 'details' key.`,
  })
}

function describe({
  cardinality,
  columns,
  constraint,
  from,
  junction,
  to,
}: KeyRelationship): Record<string, unknown> {
  const list = (names: readonly string[]) => `(${names.join(', ')})`
  const of = (pairs: readonly ColumnPair[], side: 0 | 1) => list(pairs.map(pair => pair[side]))
  const relationship = junction
    ? `${junction.table.name} using ${constraint}${of(junction.fromColumns, 1)} and ${junction.toConstraint}${of(junction.toColumns, 1)}`
    : `${constraint} using ${from.name}${of(columns, 0)} and ${to.name}${of(columns, 1)}`
  return { cardinality, embedding: `${from.name} with ${to.name}`, relationship }
}
