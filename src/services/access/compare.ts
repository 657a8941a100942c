// Compares a review with a snapshot: what changed, the rows that prove it, and the policies that decide it.
import { type Catalog, type CatalogPolicy, nameIn } from './catalog.ts'
import { byText } from './stable.ts'
import { sqlName } from '../../trace/index.ts'
import {
  type AccessSnapshot,
  KINDS,
  listOf,
  type SnapshotCell,
  snapshotCellOf,
  snapshotOf,
} from './snapshot.ts'
import {
  type Operation,
  OPERATIONS,
  type Proof,
  type Reach,
  type ResourceKind,
  type Review,
} from './types.ts'

export interface Finding {
  readonly kind: ResourceKind
  readonly name: string
  readonly account: string
  readonly operation: Operation
  /** Undefined if the resource is new. */
  readonly before: SnapshotCell | undefined
  /** Undefined if the resource is gone. */
  readonly after: SnapshotCell | undefined
  readonly change: 'wider' | 'narrower' | 'different'
  /** Rows that show it; those of owners of which more is reached than before come first. */
  readonly proof: readonly Proof[]
  /** Policies and settings that decide about it. */
  readonly causes: readonly string[]
}

/** How much is reached, from nothing to everything. */
const RANK: Readonly<Record<Reach, number>> = {
  refused: 0,
  none: 1,
  failed: 1,
  untried: 1,
  runs: 2,
  own: 2,
  some: 3,
  all: 4,
}

const totalOf = (cell: SnapshotCell | undefined): number =>
  Object.values(cell?.rows ?? {}).reduce((sum, count) => sum + count, 0)

function changeOf(before: SnapshotCell | undefined, after: SnapshotCell | undefined): Finding['change'] {
  const steps = [
    RANK[after?.reach ?? 'refused'] - RANK[before?.reach ?? 'refused'],
    totalOf(after) - totalOf(before),
    (before?.hidden?.length ?? 0) - (after?.hidden?.length ?? 0),
    (after?.columns?.length ?? Infinity) - (before?.columns?.length ?? Infinity) || 0,
    (after?.givesTo?.length ?? 0) - (before?.givesTo?.length ?? 0),
  ]
  const first = steps.find(step => step !== 0)
  return first === undefined ? 'different' : first > 0 ? 'wider' : 'narrower'
}

const isSame = (before: SnapshotCell | undefined, after: SnapshotCell | undefined): boolean =>
  textOf(before) === textOf(after)

/** The same whatever the order of fields. */
function textOf(cell: SnapshotCell | undefined): string {
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => byText(a, b)) as [string, unknown][])
      : value
  return JSON.stringify(cell ?? null, sorted)
}

/** @returns one finding per resource, account and operation that changed */
export function compareAccess(before: AccessSnapshot, review: Review, catalog: Catalog): readonly Finding[] {
  const after = snapshotOf(review)
  return KINDS.flatMap(kind => {
    const names = new Set([...Object.keys(listOf(before, kind)), ...Object.keys(listOf(after, kind))])
    return [...names].toSorted(byText).flatMap(name => {
      const places = review.accounts.flatMap(account =>
        OPERATIONS[kind].map(operation => ({ kind, name, account, operation })),
      )
      return places.flatMap(place => findingAt(place, { before, after, review, catalog }))
    })
  })
}

interface Compared {
  readonly before: AccessSnapshot
  readonly after: AccessSnapshot
  readonly review: Review
  readonly catalog: Catalog
}

type Place = Pick<Finding, 'kind' | 'name' | 'account' | 'operation'>

function findingAt(place: Place, { before, after, review, catalog }: Compared): readonly Finding[] {
  const previous = snapshotCellOf(before, place)
  const is = snapshotCellOf(after, place)
  // Where one of the two did not try, there is nothing to compare.
  const isUntried = previous?.reach === 'untried' || is?.reach === 'untried'
  if (isSame(previous, is) || (isUntried && before.writes !== after.writes)) return []
  // A new table that an account can't reach, or one that it never reached, changes nothing for it.
  if ((previous === undefined || is === undefined) && RANK[(previous ?? is)?.reach ?? 'refused'] < 2)
    return []
  const cells = review.resources.find(({ kind, name }) => kind === place.kind && name === place.name)?.cells
  const cell = cells?.[place.operation]?.[review.accounts.indexOf(place.account)]
  const isMore = ({ owner }: Proof) => (is?.rows?.[owner] ?? 0) > (previous?.rows?.[owner] ?? 0)
  return [
    {
      ...place,
      before: previous,
      after: is,
      change: changeOf(previous, is),
      proof: (cell?.proof ?? []).toSorted((a, b) => Number(isMore(b)) - Number(isMore(a))),
      causes: causesOf(place, catalog),
    },
  ]
}

/** The policies and settings that decide about an operation, as far as the catalog lists them. */
export function causesOf(
  { kind, name, operation }: Omit<Place, 'account'>,
  catalog: Catalog,
): readonly string[] {
  if (kind === 'table') return tableCauses(name, operation, catalog)
  if (kind === 'bucket') return bucketCauses(name, operation, catalog)
  if (kind === 'edge function') return [`See \`verify_jwt\` and the code of ${name}.`]
  const overloads = catalog.functions.filter(each => nameIn(each) === name.split('(', 1)[0])
  const notes = overloads.some(({ definer }) => definer === true)
    ? ['The function is SECURITY DEFINER: it runs with its owner’s rights, so policies do not apply in it.']
    : ['The function runs with the rights of its caller: see the policies of the tables that it uses.']
  return [...notes, `Check who may execute it: \`revoke execute on function ${name} from public, anon\`.`]
}

function tableCauses(name: string, operation: Operation, { tables, policies }: Catalog): readonly string[] {
  const table = tables.find(each => nameIn(each) === name)
  if (!table) return ['The table is gone.']
  if (table.kind === 'view' && table.invoker === false)
    return ['The view runs with its owner’s rights, so policies do not apply: set `security_invoker = true`.']
  if (table.kind === 'view')
    return ['The view runs with the rights of its caller: see the policies of its tables.']
  if (table.kind === 'materialized view')
    return ['Policies do not apply to a materialized view: grant it to no role of the API.']
  if (table.rowSecurity === false)
    return [
      `Row-level security is disabled: \`alter table ${sqlName(table.schema)}.${sqlName(table.name)} enable row level security\`.`,
    ]
  if (policies === undefined) return [`See the policies and grants of ${name} for ${operation}.`]
  const tablePolicies = policies.filter(
    policy => nameIn({ schema: policy.schema, name: policy.table }) === name,
  )
  const lines = decidingPolicies(tablePolicies, operation).map(describePolicy)
  return lines.length > 0 ? lines : [`No policy allows ${operation} on ${name}.`]
}

const BUCKET_COMMANDS = { list: 'select', read: 'select', write: 'insert', delete: 'delete' } as const

function bucketCauses(name: string, operation: Operation, { buckets, policies }: Catalog): readonly string[] {
  const isOpen = buckets.find(({ id }) => id === name)?.public === true
  const notes =
    isOpen && operation === 'read' ? ['The bucket is public: everyone with the address reads a file.'] : []
  if (policies === undefined) return [...notes, `See the policies of storage.objects for the bucket ${name}.`]
  const command = BUCKET_COMMANDS[operation as keyof typeof BUCKET_COMMANDS]
  const tablePolicies = policies.filter(({ schema, table, using, check }) => {
    const text = `${using ?? ''} ${check ?? ''}`
    // A policy that names no bucket is for all of them.
    return (
      schema === 'storage' &&
      table === 'objects' &&
      (!text.includes('bucket_id') || text.includes(`'${name}'`))
    )
  })
  const also = command === 'insert' ? decidingPolicies(tablePolicies, 'update') : []
  const deciding = new Set([...decidingPolicies(tablePolicies, command), ...also])
  return [...notes, ...[...deciding].map(describePolicy)]
}

const decidingPolicies = (policies: readonly CatalogPolicy[], operation: string): readonly CatalogPolicy[] =>
  policies.filter(({ command }) => command === 'all' || command === operation)

function describePolicy({
  name,
  schema,
  table,
  command,
  roles,
  permissive,
  using,
  check,
}: CatalogPolicy): string {
  const kind = permissive ? '' : 'restrictive '
  const parts = [
    `${kind}policy "${name}" on ${nameIn({ schema, name: table })} for ${command} to ${roles.join(', ')}`,
    ...(using === null ? [] : [`using ${using}`]),
    ...(check === null ? [] : [`with check ${check}`]),
  ]
  return parts.join(' ')
}
