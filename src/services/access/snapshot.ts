// The snapshot of a review: what each account reaches, without ids, times and secrets, sorted.
import {
  array,
  boolean,
  type InferOutput,
  literal,
  object,
  optional,
  picklist,
  record,
  safeParse,
  string,
  number,
} from 'valibot'
import { byText } from './stable.ts'
import type { Cell, Operation, ResourceKind, Review, ReviewedResource } from './types.ts'

const cell = object({
  reach: picklist(['refused', 'none', 'own', 'some', 'all', 'runs', 'failed', 'untried']),
  rows: optional(record(string(), number())),
  hash: optional(string()),
  hidden: optional(array(string())),
  columns: optional(array(string())),
  givesTo: optional(array(string())),
  code: optional(string()),
})

const resources = record(string(), record(string(), record(string(), cell)))

const snapshot = object({
  format: literal('chartroom-access'),
  version: number(),
  writes: boolean(),
  accounts: array(string()),
  tables: resources,
  buckets: resources,
  functions: resources,
  edgeFunctions: resources,
})

export type SnapshotCell = InferOutput<typeof cell>
export type AccessSnapshot = InferOutput<typeof snapshot>

const LISTS = {
  table: 'tables',
  bucket: 'buckets',
  function: 'functions',
  'edge function': 'edgeFunctions',
} as const

export const KINDS: readonly ResourceKind[] = ['table', 'bucket', 'function', 'edge function']

export const listOf = (of: AccessSnapshot, kind: ResourceKind): AccessSnapshot['tables'] => of[LISTS[kind]]

const snapshotCell = ({ reach, rows, hash, hidden, columns, givesTo, code }: Cell): SnapshotCell => ({
  reach,
  ...(Object.keys(rows).length > 0 ? { rows } : {}),
  ...(hash === undefined ? {} : { hash }),
  ...(hidden ? { hidden: hidden.toSorted() } : {}),
  ...(columns ? { columns: columns.toSorted() } : {}),
  ...(givesTo ? { givesTo: givesTo.toSorted() } : {}),
  ...(code === undefined ? {} : { code }),
})

function cellsOf({ cells }: ReviewedResource, accounts: readonly string[]): AccessSnapshot['tables'][string] {
  const byAccount = accounts.map((account, at): [string, Record<string, SnapshotCell>] => [
    account,
    Object.fromEntries(
      Object.entries(cells).flatMap(([operation, list]) => {
        const item = list[at]
        return item ? [[operation, snapshotCell(item)]] : []
      }),
    ),
  ])
  return Object.fromEntries(byAccount.toSorted(([a], [b]) => byText(a, b)))
}

export function snapshotOf({ writes, accounts, resources: reviewed }: Review): AccessSnapshot {
  const ofKind = (kind: ResourceKind) =>
    Object.fromEntries(
      reviewed
        .filter(each => each.kind === kind)
        .toSorted((a, b) => byText(a.name, b.name))
        .map(each => [each.name, cellsOf(each, accounts)]),
    )
  return {
    format: 'chartroom-access',
    version: 1,
    writes,
    accounts: accounts.toSorted(byText),
    tables: ofKind('table'),
    buckets: ofKind('bucket'),
    functions: ofKind('function'),
    edgeFunctions: ofKind('edge function'),
  }
}

export const snapshotText = (review: Review): string => `${JSON.stringify(snapshotOf(review), null, 1)}\n`

/** Parses a snapshot. @throws Error with what is wrong */
export function readSnapshot(text: string): AccessSnapshot {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`it is not valid JSON (${error instanceof Error ? error.message : String(error)})`, {
      cause: error,
    })
  }
  const parsed = safeParse(snapshot, value)
  if (!parsed.success)
    throw new Error('it is not an access snapshot. `chartroom access --out FILE` writes one')
  if (parsed.output.version !== 1)
    throw new Error(
      `it has version ${parsed.output.version}, which a newer Chartroom made. Update Chartroom, or write it again`,
    )
  return parsed.output
}

/** The cell of an operation; undefined if there is none. */
export const snapshotCellOf = (
  of: AccessSnapshot,
  {
    kind,
    name,
    account,
    operation,
  }: {
    readonly kind: ResourceKind
    readonly name: string
    readonly account: string
    readonly operation: Operation
  },
): SnapshotCell | undefined => listOf(of, kind)[name]?.[account]?.[operation]
