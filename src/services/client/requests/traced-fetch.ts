// Adds the current OpenTelemetry trace to requests, as supabase-js does.

type Fetch = typeof globalThis.fetch

/** The option `tracePropagation`. */
export type TracePropagation =
  boolean | { readonly enabled?: boolean; readonly respectSamplingDecision?: boolean }

/** Returns `fetch` itself unless traces are propagated. @param url of the backend */
export function tracedFetch(url: string, fetch: Fetch, option: TracePropagation): Fetch {
  const { enabled = false, respectSamplingDecision = true } =
    typeof option === 'object' ? option : { enabled: option }
  if (!enabled) return fetch
  return async (input, init) => {
    const { traceHeaders } = await import('./trace-headers.ts')
    const headers = new Headers(init?.headers)
    const address = input instanceof Request ? input.url : String(input)
    for (const [name, value] of Object.entries(traceHeaders(url, address, respectSamplingDecision)))
      if (!headers.has(name)) headers.set(name, value)
    return fetch(input, { ...init, headers })
  }
}
