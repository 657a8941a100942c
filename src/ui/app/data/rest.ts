// One call of REST about a table: rows as they were answered, or what was refused, and which request it was.
import { array, safeParse } from 'valibot'
import type { ChartroomClient } from '../../../index.ts'
import { explainCall } from '../failed-call.ts'
import { anyNamed } from '../named.ts'
import { explainRest, type DataAction, type DataFailure } from './rest-failure.ts'
import { madeStoreOf } from './made-columns.ts'
import { exactRow, selectOf } from './cells/exact.ts'
import type { Column, Row } from './schema.ts'
import type { RestRead } from './table-query.ts'

export interface RestCall extends RestRead {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** To be answered, digit for digit; none: all of them, as JavaScript reads JSON. */
  readonly columns?: readonly Column[]
  /** In the words of the header `Prefer`. */
  readonly prefer?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Milliseconds for everything. */
  readonly deadline?: number
  readonly isLow?: boolean
  /** Hears the id of the request, as the recording has it. */
  readonly onStart?: ((request: string) => void) | undefined
}

export type RestAnswer =
  | {
      readonly ok: true
      readonly rows: readonly Row[]
      /** As the range of the answer tells it. */
      readonly total: number | null
      readonly request: string | undefined
    }
  | { readonly ok: false; readonly failure: DataFailure; readonly request: string | undefined }

const rowsSchema = array(anyNamed)

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

/** What an answer that is no success says. */
const refusalIn = (text: string, status: number) => {
  const error = safeParse(anyNamed, parse(text))
  const told = error.success ? error.output : {}
  const word = (name: string) => (typeof told[name] === 'string' ? told[name] : undefined)
  return {
    message: word('message') ?? `The backend answered with status ${status}.`,
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

/** Whose rows are written. */
const tableIn = ({ path, headers }: RestRead) => ({
  schema: headers['Content-Profile'] ?? 'public',
  table: decodeURIComponent(path.slice(1)),
})

const selecting = ({ path, headers, query, columns }: RestCall): RestRead => ({
  path,
  headers,
  query: columns === undefined ? query : [['select', selectOf(columns)], ...query],
})

/** Never rejects, but for a call that was aborted. */
export const callRest = async (client: ChartroomClient, call: RestCall): Promise<RestAnswer> => {
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
    const message = 'The answer could not be read. It is no list of rows.'
    return { ok: false, failure: { message, retry: false }, request }
  } catch (error) {
    if (call.signal?.aborted === true) throw error
    return { ok: false, failure: await explainCall(error), request }
  }
}
