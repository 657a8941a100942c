// Asks the same of the table as several people at once.
import { useEffect, useState } from 'react'
import { useClock } from '../../hooks.ts'
import { describeFailure, type ChartroomClient } from '../../../../index.ts'
import type { Row } from '../../data/schema.ts'
import { toRestRead, type TableQuery } from '../../data/table-query.ts'
import type { AccountClient } from '../../accounts/use-accounts.ts'
import { addressOf } from '../../requests/call-spec.ts'
import { parseExact } from '../../json/exact-json.ts'

export interface Viewer {
  readonly id: string
  readonly name: string
}

export type View =
  | { readonly phase: 'asking' }
  | {
      readonly phase: 'seen'
      readonly rows: readonly Row[]
      readonly count: number | undefined
      readonly ms: number
      readonly requestId: string | undefined
      /** In whose recording it is. */
      readonly by: ChartroomClient
    }
  | {
      readonly phase: 'refused'
      readonly status: number
      readonly message: string
      /** Nobody answered, so that asking again may help. */
      readonly isPassing: boolean
      readonly requestId: string | undefined
      /** In whose recording it is. */
      readonly by: ChartroomClient
    }

const countIn = (response: Response): number | undefined => {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  return total === undefined ? undefined : Number(total)
}

const errorIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return { message: text.slice(0, 200) }
  }
}

/** What the server said counts here more than plain words do. */
const wordsOf = async (text: string, status: number): Promise<string> => {
  const error = errorIn(text)
  const { message } = await describeFailure(error, status)
  const said = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''
  return said === '' || message.includes(said) ? message : `${message} (${said})`
}

async function look(
  as: AccountClient,
  query: TableQuery,
  now: () => number,
  signal: AbortSignal,
): Promise<View> {
  const read = toRestRead(query)
  const path = addressOf({ method: 'GET', path: `/rest/v1${read.path}`, query: read.query })
  const started = now()
  let requestId: string | undefined
  try {
    const headers = { ...read.headers, prefer: 'count=exact' }
    const response = await as.fetch(path, { headers, signal }, { onStart: id => (requestId = id) })
    const text = await response.text()
    if (!response.ok)
      return {
        phase: 'refused',
        status: response.status,
        message: await wordsOf(text, response.status),
        isPassing: response.status === 429 || response.status >= 500,
        requestId,
        by: as.client,
      }
    const rows = parseExact(text)
    return {
      phase: 'seen',
      rows: Array.isArray(rows) ? (rows as Row[]) : [],
      count: countIn(response),
      ms: now() - started,
      requestId,
      by: as.client,
    }
  } catch (error) {
    const { kind, message } = await describeFailure(error)
    return {
      phase: 'refused',
      status: 0,
      message,
      isPassing: kind === 'network' || kind === 'timeout',
      requestId,
      by: as.client,
    }
  }
}

interface Asked {
  readonly name: string
  readonly views: Readonly<Record<string, View>>
}

const ASKING: View = { phase: 'asking' }

/** By viewer, in their order; another `round` asks anew, and `again` leaves what is there meanwhile. */
export function useViews(
  viewers: readonly Viewer[],
  query: TableQuery,
  clientOf: (id: string) => AccountClient,
  round: number,
  again: number,
): readonly View[] {
  const now = useClock()
  const ids = JSON.stringify(viewers.map(({ id }) => id))
  const name = `${round} ${ids}`
  const [asked, setAsked] = useState<Asked>({ name, views: {} })
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const show = (id: string, view: View) =>
      setAsked(before => ({ name, views: { ...(before.name === name ? before.views : {}), [id]: view } }))
    for (const id of JSON.parse(ids) as readonly string[]) {
      void look(clientOf(id), query, now, signal).then(view => {
        if (!signal.aborted) show(id, view)
      })
    }
    return () => leaving.abort()
  }, [name, ids, again, query, clientOf, now])
  return viewers.map(({ id }) => (asked.name === name ? (asked.views[id] ?? ASKING) : ASKING))
}
