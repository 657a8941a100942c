// The ids by which OpenTelemetry and Sentry connect what belongs to one operation.

/** A span of another tool. */
export interface TraceContext {
  /** 32 lowercase hexadecimal digits. */
  readonly traceId: string
  /** 16 lowercase hexadecimal digits. */
  readonly spanId: string
}

/** The value of W3C's `traceparent`; later versions may append fields. */
const W3C = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/
/** The value of Sentry's `sentry-trace`. */
const SENTRY = /^([0-9a-f]{32})-([0-9a-f]{16})(?:-[01])?$/

/** Reads the value of a `traceparent` or `sentry-trace` header. Undefined for any other text, and for ids of zeros. */
export function readTraceContext(text: string): TraceContext | undefined {
  const [, traceId, spanId] = W3C.exec(text) ?? SENTRY.exec(text) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId }
}

/** The same as the value of a `traceparent` header. */
export const traceparentOf = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`
