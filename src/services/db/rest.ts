// Rows over REST: reads, and the three kinds of writes, each with the rows that it affected.
import { type ChartroomClient, describeFailure, type RequestOptions } from '../client/index.ts'
import type { Failure } from '../../machines/index.ts'
import { RequestError } from '../runtime/index.ts'
import type { Row, TableAddress } from './stored-write.ts'

export type RestClient = Pick<ChartroomClient, 'fetch'>

type Call = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Parameters of the URL. */
  readonly query?: Readonly<Record<string, string>>
  readonly prefer?: string
  readonly body?: unknown
}

type Address = Pick<TableAddress, 'table' | 'schema'>

/** Rows, or why there are none. */
export type Answer =
  | { readonly rows: readonly Row[]; /** Of all pages. */ readonly total: number | undefined }
  | { readonly failure: Failure }

/** @param options for the request; its signal rejects the call */
export async function callRest(
  client: RestClient,
  { table, schema }: Address,
  { method = 'GET', query = {}, prefer, body }: Call,
  options: RequestOptions,
): Promise<Answer> {
  const params = new URLSearchParams({ select: '*', ...query })
  const profile = method === 'GET' ? 'accept-profile' : 'content-profile'
  try {
    const response = await client.fetch(
      `/rest/v1/${encodeURIComponent(table)}?${params}`,
      {
        method,
        headers: {
          accept: 'application/json',
          [profile]: schema,
          ...(prefer !== undefined && { prefer }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      options,
    )
    if (!response.ok) return { failure: await refusalOf(response) }
    const text = await response.text()
    const rows = text === '' ? [] : (JSON.parse(text) as readonly Row[])
    return { rows, total: totalOf(response) }
  } catch (error) {
    return { failure: error instanceof RequestError ? error.failure : await describeFailure(error) }
  }
}

async function refusalOf(response: Response): Promise<Failure> {
  const text = await response.text().catch(() => '')
  let error: unknown
  try {
    error = JSON.parse(text)
  } catch {
    error = { message: '' }
  }
  return describeFailure(typeof error === 'object' && error !== null ? error : {}, response.status)
}

function totalOf({ headers }: Response): number | undefined {
  const [, total] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return total === undefined ? undefined : Number(total)
}

/** A filter that is true for rows with these values. Names and values are quoted, so that any are allowed. */
export const withValues = (values: Row): string =>
  `(${Object.entries(values)
    .map(([column, value]) => `${quoted(column)}.${conditionOf(value)}`)
    .join(',')})`

function conditionOf(value: unknown): string {
  if (value === null || value === undefined) return 'is.null'
  if (typeof value === 'boolean') return `is.${value}`
  return `eq.${quoted(textOf(value))}`
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The columns of a row by their names. */
export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map(column => [column, row[column]]))
