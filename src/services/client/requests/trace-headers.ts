// The headers of the current trace (W3C Trace Context), loaded with the first request that may carry them.
import { parseUrl } from '../../runtime/index.ts'

/** What supabase-js's tracing module returns: headers, or only the names of those in another format. */
interface Extracted {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
  readonly carrierKeys?: readonly string[]
}

/** Where `@supabase/supabase-js/tracing` registers the function that reads the current trace. */
const EXTRACTOR = Symbol.for('@supabase/supabase-js.traceContextExtractor')

const SAMPLED = 1

/**
 * Returns the headers of the current trace, which only the backend and Supabase's hosts receive; empty without one.
 * @param respectsSampling a trace that is not sampled is sent without what other services added
 */
export function traceHeaders(
  url: string,
  address: string,
  respectsSampling: boolean,
): Readonly<Record<string, string>> {
  const extract = (globalThis as { [EXTRACTOR]?: () => Extracted | null })[EXTRACTOR]
  if (!extract) {
    warnOnce(
      'runtime',
      'tracePropagation is on, but no trace is sent: add `import "@supabase/supabase-js/tracing"` to the entry of your app, which needs @opentelemetry/api.',
    )
    return {}
  }
  if (!isTrusted(url, address)) return {}
  const { traceparent, tracestate, baggage, carrierKeys = [] } = extract() ?? {}
  if (!traceparent) {
    if (carrierKeys.length > 0)
      warnOnce(
        'format',
        `tracePropagation is on, but no trace is sent: your tracing library wrote ${carrierKeys.join(', ')} instead of a W3C traceparent. For Sentry, set \`propagateTraceparent: true\`.`,
      )
    return {}
  }
  if (respectsSampling && !isSampled(traceparent)) return { traceparent }
  return { traceparent, ...(tracestate && { tracestate }), ...(baggage && { baggage }) }
}

/** A header that cannot be parsed counts as sampled, as in supabase-js. */
function isSampled(traceparent: string): boolean {
  const flags = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-([\da-f]{2})$/i.exec(traceparent)?.[1]
  return flags === undefined || (Number.parseInt(flags, 16) & SAMPLED) !== 0
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

function isTrusted(url: string, address: string): boolean {
  const host = parseUrl(address)?.hostname
  if (host === undefined) return false
  return host === parseUrl(url)?.hostname || LOCAL.includes(host) || /\.supabase\.(?:co|in)$/.test(host)
}

const warned = new Set<string>()

function warnOnce(reason: string, message: string): void {
  if (warned.has(reason)) return
  warned.add(reason)
  console.warn(message)
}
