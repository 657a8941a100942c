// Whether a request's transaction is committed: `pgrst.db_tx_end`, and `Prefer: tx=…` where it may override it.

/** PostgREST's values of `db-tx-end`. */
const ENDS = ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'] as const

export type TransactionEnd = (typeof ENDS)[number]

/** PostgREST's own default is `commit`; here, a client may try a write without keeping it. */
const DEFAULT: TransactionEnd = 'commit-allow-override'

/** Reads the setting; an unknown value counts as missing. */
export const transactionEnd = (setting: string | undefined): TransactionEnd =>
  ENDS.find(end => end === setting?.trim()) ?? DEFAULT

const preferredEnd = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
  /(?:^|[,\s])tx=(commit|rollback)(?=$|[,\s])/.exec(headers.get('prefer') ?? '')?.[1]

/** Whether the writes of a request are undone after its response is made. */
export function isRolledBack(request: Pick<Request, 'headers'>, end: TransactionEnd): boolean {
  const preferred = end.endsWith('-allow-override') ? preferredEnd(request) : undefined
  return (preferred ?? end).startsWith('rollback')
}

/** Names the applied preferences: lite names `tx` without applying it. */
export function withAppliedEnd(
  applied: readonly string[],
  request: Pick<Request, 'headers'>,
  end: TransactionEnd,
): readonly string[] {
  const others = applied.filter(one => !one.startsWith('tx='))
  const preferred = end.endsWith('-allow-override') ? preferredEnd(request) : undefined
  return preferred === undefined ? others : [...others, `tx=${preferred}`]
}
