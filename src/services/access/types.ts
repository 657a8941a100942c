// What a review sends and what it finds.

/** An account through which the backend is looked at. */
export interface AccessAccount {
  /** The name in reports and snapshots. */
  readonly name: string
  /** Undefined: the anonymous role. */
  readonly userId: string | undefined
  /** Sees rows that belong to the comparison, but is not part of the result: the secret key. */
  readonly isReference?: true
}

export interface AccessRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the origin, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface AccessAnswer {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | null
}

/** Sends a request as an account; rejects if there is no response. */
export type Send = (
  account: AccessAccount,
  request: AccessRequest,
  signal: AbortSignal,
) => Promise<AccessAnswer>

/** The backend can't be reviewed further; the message says why and what to do. */
export class AccessError extends Error {
  override name = 'AccessError'
  /** The HTTP status, if a response is the reason. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

export const OPERATIONS = {
  table: ['select', 'insert', 'update', 'delete'],
  bucket: ['list', 'read', 'write', 'delete'],
  function: ['execute'],
  'edge function': ['call'],
} as const

export type ResourceKind = keyof typeof OPERATIONS
export type Operation = (typeof OPERATIONS)[ResourceKind][number]

/**
 * What an account reaches with an operation.
 * `refused`: no grant. `none`: no row, because of policies. `own`: only its own rows. `some`: also other rows, but not
 * every known one. `all`: every known row. `runs`: a function without rows. `failed`: not determined. `untried`: not
 * tried.
 */
export type Reach = 'refused' | 'none' | 'own' | 'some' | 'all' | 'runs' | 'failed' | 'untried'

export type JsonRow = Readonly<Record<string, unknown>>

/** A row or file that an account reached. */
export interface Proof {
  /** `id=4`, or the path of a file. */
  readonly key: string
  readonly owner: string
  readonly row?: JsonRow
}

export interface Cell {
  readonly reach: Reach
  /** How many rows were reached, by owner: a name of an account, `someone else` or `no owner`. */
  readonly rows: Readonly<Record<string, number>>
  /** Changes if the rows change; ids and times do not matter. */
  readonly hash?: string
  /** Columns that grants hide from this account. */
  readonly hidden?: readonly string[]
  /** Columns that the account may write, if grants limit them. */
  readonly columns?: readonly string[]
  /** Accounts to which it may give its own rows. */
  readonly givesTo?: readonly string[]
  /** SQLSTATE or HTTP status of a failure. */
  readonly code?: string
  /** The backend's words. */
  readonly message?: string
  readonly proof: readonly Proof[]
}

export interface ReviewedResource {
  readonly kind: ResourceKind
  readonly name: string
  /** By operation, one cell per account. */
  readonly cells: Readonly<Partial<Record<Operation, readonly Cell[]>>>
}

export interface Review {
  /** Whether writes were tried and rolled back. */
  readonly writes: boolean
  /** Names, in the order of the cells. */
  readonly accounts: readonly string[]
  readonly resources: readonly ReviewedResource[]
}

export const SOMEONE_ELSE = 'someone else'
export const NO_OWNER = 'no owner'
