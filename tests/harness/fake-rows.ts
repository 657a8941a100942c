// A REST backend with one table in memory, with different rows for each account: pages, ranges and single
// rows.
import type { ChartroomClient } from '../../src/public/index.ts'
import type { AccountClient } from '../../src/services/workbench/accounts/accounts.ts'

export type FakeRow = Readonly<Record<string, unknown>>

export interface FakeTable {
  /** The rows of an account, in any order; called for each request. */
  readonly rowsOf: (account: string) => readonly FakeRow[]
  /** The server returns at most this many rows at once. */
  readonly maxRows?: number
  /** Called before each request; a returned response replaces the default one. */
  readonly intercept?: (account: string, url: URL) => Response | undefined | Promise<Response | undefined>
  /** The signed-in user; defaults to the account itself. */
  readonly userOf?: (account: string) => string
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const compare = (a: unknown, b: unknown): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number') return a - Number(b)
  return textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0
}

const TESTS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: order => order === 0,
  gt: order => order > 0,
  gte: order => order >= 0,
  lt: order => order < 0,
  lte: order => order <= 0,
}

const PARAMETERS = new Set(['select', 'order', 'limit', 'offset'])

/** `gt.5`, `in.("1","2")`. */
const matches = (value: unknown, condition: string): boolean => {
  const [, operator = '', operand = ''] = /^([a-z]+)\.([\s\S]*)$/.exec(condition) ?? []
  if (operator === 'in') return (JSON.parse(`[${operand.slice(1, -1)}]`) as string[]).includes(textOf(value))
  const test = TESTS[operator]
  if (!test) throw new Error(`The fake backend knows no operator ${operator}`)
  const text = operand.startsWith('"') ? (JSON.parse(operand) as string) : operand
  return test(compare(value, typeof value === 'number' ? Number(text) : text))
}

/** `(id.gt."5")` of one term, as a pager writes it for one key. */
const matchesAny = (row: FakeRow, condition: string): boolean => {
  const [, name = '', rest = ''] = /^\(([^.]+)\.([\s\S]*)\)$/.exec(condition) ?? []
  return matches(row[name], rest)
}

function respond({ rowsOf, maxRows = Infinity }: FakeTable, account: string, url: URL, headers: Headers) {
  const filters = [...url.searchParams].filter(([name]) => !PARAMETERS.has(name))
  const orders = (url.searchParams.get('order') ?? '').split(',').filter(each => each !== '')
  const matching = rowsOf(account)
    .filter(row =>
      filters.every(([name, condition]) =>
        name === 'or' ? matchesAny(row, condition) : matches(row[name], condition),
      ),
    )
    .toSorted((a, b) => {
      for (const order of orders) {
        const [name = '', direction] = order.split('.')
        const result = compare(a[name], b[name]) * (direction === 'desc' ? -1 : 1)
        if (result !== 0) return result
      }
      return 0
    })
  const from = Number(url.searchParams.get('offset') ?? 0)
  const limit = Math.min(Number(url.searchParams.get('limit') ?? Infinity), maxRows)
  const page = matching.slice(from, from + limit)
  const total = headers.get('prefer') === 'count=exact' ? String(matching.length) : '*'
  return Response.json(page, {
    headers: { 'content-range': `${page.length === 0 ? '*' : `${from}-${from + page.length - 1}`}/${total}` },
  })
}

/** Clients by account id, and the requests that they sent. */
export function fakeAccounts(table: FakeTable) {
  const requests: { readonly account: string; readonly url: URL }[] = []
  const clientOf = (account: string): AccountClient => {
    const status = () => ({
      session: { phase: 'authenticated', user: { id: table.userOf?.(account) ?? account } },
    })
    const fetch: ChartroomClient['fetch'] = async (path, init) => {
      const url = new URL(path, 'http://backend.test')
      init?.signal?.throwIfAborted()
      requests.push({ account, url })
      const response = await table.intercept?.(account, url)
      init?.signal?.throwIfAborted()
      return response ?? respond(table, account, url, new Headers(init?.headers))
    }
    return { fetch, client: { status } as unknown as ChartroomClient, with: () => ({}) as never }
  }
  return { clientOf, requests }
}
