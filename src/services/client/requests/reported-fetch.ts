// A `fetch` that reports its calls as events of the port that makes them; loaded with the code of these ports.
import type { HttpEvent } from '../../../machines/index.ts'
import { faultIdOf } from './responses.ts'

type Fetch = typeof globalThis.fetch

interface ReportedHost {
  readonly url: string
  readonly fetch: Fetch
}

/** @param report receives method, path and status of each call; no headers, bodies or secrets */
export function reportedFetch({ url, fetch }: ReportedHost, report: (event: HttpEvent) => void): Fetch {
  let calls = 0
  return async (input, init) => {
    const call = calls++
    const request = input instanceof Request ? input : undefined
    const address = input instanceof Request ? input.url : input instanceof URL ? input.href : input
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    report({ type: 'http.sent', call, method, path: pathOf(address, url) })
    try {
      const response = await fetch(input, init)
      const faultId = faultIdOf(response)
      report({
        type: 'http.answered',
        call,
        status: response.status,
        ...(faultId !== undefined && { faultId }),
      })
      return response
    } catch (error) {
      const faultId = faultIn(error)
      report({ type: 'http.answered', call, ...(faultId !== undefined && { faultId }) })
      throw error
    }
  }
}

/** An injected fault names itself in its error. */
const faultIn = (error: unknown): string | undefined =>
  error instanceof Error && 'faultId' in error && typeof error.faultId === 'string'
    ? error.faultId
    : undefined

/** Parameters whose values are among a few public ones. */
const PUBLIC: ReadonlySet<string> = new Set(['grant_type', 'scope', 'limit'])

/** Path and query within the backend; other values than public ones are replaced. */
function pathOf(address: string, base: string): string {
  const inside = address.startsWith(base) ? address.slice(base.length) : new URL(address).pathname
  const at = inside.indexOf('?')
  if (at < 0) return inside
  const query = [...new URLSearchParams(inside.slice(at + 1))].map(
    ([name, value]) => `${name}=${PUBLIC.has(name) ? value : '[redacted]'}`,
  )
  return `${inside.slice(0, at)}?${query.join('&')}`
}
