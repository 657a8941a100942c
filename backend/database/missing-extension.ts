// Explains what to do about an extension that the engine does not have.
import type { ExtensionList } from './engine.ts'
import { shippedExtensions } from './pglite/binaries.ts'

/** Debian's packages of extensions that PostgreSQL does not come with, after `postgresql-NN-`. */
const PACKAGES: Readonly<Record<string, string>> = {
  address_standardizer: 'postgis-3',
  pg_hashids: 'pg-hashids',
  pg_ivm: 'pg-ivm',
  pgrouting: 'pgrouting',
  pgtap: 'pgtap',
  plv8: 'plv8',
  postgis: 'postgis-3',
  postgis_raster: 'postgis-3',
  postgis_sfcgal: 'postgis-3',
  postgis_tiger_geocoder: 'postgis-3',
  postgis_topology: 'postgis-3',
  rum: 'rum',
  timescaledb: 'timescaledb',
  vector: 'pgvector',
}

/** Sentences that say which engine has it, or which names are similar. */
export function explainMissing(
  name: string,
  { owner, isServer, available }: Pick<ExtensionList, 'owner' | 'isServer' | 'available'>,
): string {
  const ways: string[] = []
  if (isServer && shippedExtensions().includes(name)) ways.push('The embedded one has it: --engine pglite.')
  const from = PACKAGES[name]
  const server = isServer ? 'A server' : 'A PostgreSQL server (--engine postgres, or the URL of one)'
  if (from !== undefined) ways.push(`${server} has it with a package such as Debian's postgresql-NN-${from}.`)
  const similar = ways.length > 0 ? [] : available.filter(candidate => isSimilar(name, candidate))
  if (similar.length > 0) ways.push(`Similar: ${similar.join(', ')}.`)
  if (ways.length === 0)
    ways.push('If the project only needs its objects, skip the migration or remove the statement.')
  return [`${owner} has no extension ${name}.`, ...ways].join(' ')
}

/** Whether one is the other with one or two characters added, removed or replaced. */
function isSimilar(one: string, b: string): boolean {
  if (Math.abs(one.length - b.length) > 2) return false
  let start = 0
  while (start < one.length && one[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(one.length, b.length) - start && one.at(-1 - end) === b.at(-1 - end)) end += 1
  return Math.max(one.length, b.length) - start - end <= 2
}
