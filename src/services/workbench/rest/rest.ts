// A REST call for a table: the returned rows or the error, and the request's id.
import { array, safeParse } from 'valibot'
import type { ChartroomClient } from '../../client/index.ts'
import { explainCall } from './failed-call.ts'
import { isAnyKeyOf } from '../storage/safe-record.ts'
import { explainRest, type DataAction, type DataFailure } from './rest-failure.ts'
import { madeStoreOf } from '../table/made-columns.ts'
import { exactRow, selectOf } from '../table/cells/exact.ts'
import type { Column, Row } from '../table/schema.ts'
import type { RestRead } from '../table/table-query.ts'

export interface RestCall extends RestRead {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Columns to return without rounding; empty: all columns, parsed as plain JSON. */
  readonly columns?: readonly Column[]
  /** Value of the `Prefer` header. */
  readonly prefer?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Overall timeout in milliseconds. */
  readonly deadline?: number
  readonly isLow?: boolean
  /** Called with the request's id in the recording. */
  readonly onStart?: ((request: string) => void) | undefined
}

export type RestResponse =
  | {
      readonly ok: true
      readonly rows: readonly Row[]
      /** From the response's `Content-Range`. */
      readonly total: number | null
      readonly request: string | undefined
    }
  | { readonly ok: false; readonly failure: DataFailure; readonly request: string | undefined }

const rowsSchema = array(isAnyKeyOf)

const ACTIONS: Readonly<Record<RestCall['method'], DataAction>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
}

const initOf = ({ method, headers, prefer, body, signal }: RestCall): RequestInit => ({
  method,
  headers: {
    ...headers,
    accept: 'application/json',
    ...(prefer === undefined ? {} : { prefer }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(signal === undefined ? {} : { signal }),
})

/** The error in an unsuccessful response. */
const refusalIn = (text: string, status: number) => {
  const error = safeParse(isAnyKeyOf, parse(text))
  const fields = error.success ? error.output : {}
  const word = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  return {
    message: word('message') ?? `The backend responded with status ${status}.`,
    code: word('code'),
    details: word('details'),
    hint: word('hint'),
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const totalIn = (headers: Headers): number | null => {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  return total === undefined ? null : Number(total)
}

/** The path below the origin. */
const pathOf = ({ path, query }: RestRead): string => {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  return `/rest/v1${path}${search === '' ? '' : `?${search}`}`
}

/** The table whose rows are written. */
const tableIn = ({ path, headers }: RestRead) => ({
  schema: headers['Content-Profile'] ?? 'public',
  table: decodeURIComponent(path.slice(1)),
})

const selecting = ({ path, headers, query, columns }: RestCall): RestRead => ({
  path,
  headers,
  query: columns === undefined ? query : [['select', selectOf(columns)], ...query],
})

/** Never rejects, except when the call was aborted. */
export const callRest = async (client: ChartroomClient, call: RestCall): Promise<RestResponse> => {
  let request: string | undefined
  const { columns } = call
  const options = {
    onStart: (id: string) => {
      request = id
      call.onStart?.(id)
    },
    ...(call.deadline === undefined ? {} : { deadline: call.deadline }),
    ...(call.isLow === true ? { priority: 'low' as const } : {}),
  }
  try {
    const answer = await client.fetch(pathOf(selecting(call)), initOf(call), options)
    const text = call.method === 'HEAD' ? '' : await answer.text()
    if (!answer.ok) {
      const refusal = refusalIn(text, answer.status)
      const failure = await explainRest(refusal, answer.status, ACTIONS[call.method], tableIn(call).table)
      if (failure.made !== undefined && failure.field !== undefined)
        madeStoreOf(client).add(tableIn(call), failure.field, failure.made)
      return { ok: false, failure, request }
    }
    const read = safeParse(rowsSchema, text === '' ? [] : parse(text))
    if (read.success) {
      const rows = columns === undefined ? read.output : read.output.map(row => exactRow(columns, row))
      return { ok: true, rows, total: totalIn(answer.headers), request }
    }
    const message = 'The response could not be read: it is not a list of rows.'
    return { ok: false, failure: { message, retry: false }, request }
  } catch (error) {
    if (call.signal?.aborted === true) throw error
    return { ok: false, failure: await explainCall(error), request }
  }
}
