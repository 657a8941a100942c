// A REST call whose columns are known: cells keep their exact text, and generated columns are learned.
import type { ChartroomClient } from '../../client/index.ts'
import { callRest, type RestCall, type RestRead, type RestResponse } from '../rest/rest.ts'
import { exactRow, selectOf } from './cells/exact.ts'
import { madeStoreOf } from './made-columns.ts'
import type { Column } from './schema.ts'

export interface TableCall extends RestCall {
  /** Columns to return without rounding; empty: all columns, parsed as plain JSON. */
  readonly columns: readonly Column[]
}

/** The table whose rows are written. */
const tableIn = ({ path, headers }: Pick<RestRead, 'path' | 'headers'>) => ({
  schema: headers['Content-Profile'] ?? 'public',
  table: decodeURIComponent(path.slice(1)),
})

/** Never rejects, except when the call was aborted. */
export const callTable = async (
  client: ChartroomClient,
  { columns, query, ...call }: TableCall,
): Promise<RestResponse> => {
  const answer = await callRest(client, { ...call, query: [['select', selectOf(columns)], ...query] })
  if (answer.ok) return { ...answer, rows: answer.rows.map(row => exactRow(columns, row)) }
  const { made, field } = answer.failure
  if (made !== undefined && field !== undefined) madeStoreOf(client).add(tableIn(call), field, made)
  return answer
}
