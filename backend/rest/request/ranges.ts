// Rows of a resource: `limit`, `offset` and the header `Range`.
import { RestError } from '../rest-error.ts'
import type { At, Range } from './api-request.ts'
import { readInteger } from './integers.ts'
import { treePath } from './names.ts'
import { parse } from './scanner.ts'

/** Rows from `start` to before `end`. */
interface Span {
  readonly start: number
  readonly end: number
}

const ALL: Span = { start: 0, end: Number.POSITIVE_INFINITY }

/** Spans by the names of their parameters; that of `offset` is the one of `limit`. */
export type Spans = ReadonlyMap<string, Span>

type Parameter = readonly [name: string, value: string]

/** Values that are no numbers are ignored; of several, the last one is valid. */
export function readSpans(limits: readonly Parameter[], offsets: readonly Parameter[]): Spans {
  const spans = new Map(limits.map(([name, value]) => [name, limitedTo(readInteger(value))]))
  const starts = new Map(offsets.map(([name, value]) => [limitName(name), readInteger(value) ?? 0]))
  for (const [name, start] of starts) {
    const limit = spans.get(name)
    spans.set(name, { start, end: limit === undefined ? ALL.end : start + lengthOf(limit) })
  }
  return spans
}

const limitedTo = (limit: number | undefined): Span => (limit === undefined ? ALL : { start: 0, end: limit })

/** A limit that is no number counts as none at all beside an offset. */
const lengthOf = ({ start, end }: Span): number => (end === ALL.end ? 0 : end - start)

const limitName = (name: string): string => `${name.slice(0, name.lastIndexOf('.') + 1)}limit`

const isEmpty = ({ start, end }: Span): boolean => end <= start

const rangeOf = ({ start, end }: Span): Range => ({
  offset: start,
  limit: end === ALL.end ? undefined : end - start,
})

export function rangesOf(spans: Spans): readonly At<Range>[] {
  return [...spans].map(([name, span]) => {
    const { path } = parse(`failed to parse tree path (${name})`, name, treePath)
    return { path, value: rangeOf(span) }
  })
}

/**
 * The rows of the resource itself.
 *
 * @throws RestError 416 if the range is empty, but for `limit=0`; 400 for PUT with a range.
 */
export function readRange(method: string, spans: Spans, header: string | null): Range {
  const requested = method === 'GET' && header !== null ? readHeader(header) : ALL
  const limited = spans.get('limit') ?? ALL
  const hasLimitZero = limited.end === 0
  const span = hasLimitZero ? { start: 0, end: 0 } : intersection(requested, limited)
  if (!hasLimitZero && isEmpty(span)) throw unsatisfiable(isEmpty(requested) ? REVERSED : NEGATIVE)
  if (method === 'PUT' && (span.start !== ALL.start || span.end !== ALL.end)) throw rangeOfUpsert()
  return rangeOf(span)
}

/** Both limits are inclusive; the second may be missing. Another form is ignored. */
function readHeader(header: string): Span {
  const match = /^(\d+)-(\d*)$/.exec(header)
  if (match === null) return ALL
  const [, first = '', last = ''] = match
  return { start: readInteger(first) ?? 0, end: last === '' ? ALL.end : (readInteger(last) ?? 0) + 1 }
}

const intersection = (first: Span, second: Span): Span => ({
  start: Math.max(first.start, second.start),
  end: Math.min(first.end, second.end),
})

const NEGATIVE = 'Limit should be greater than or equal to zero.'
const REVERSED = 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'

const unsatisfiable = (details: string): RestError =>
  new RestError({ status: 416, code: 'PGRST103', message: 'Requested range not satisfiable', details })

const rangeOfUpsert = (): RestError =>
  new RestError({
    status: 400,
    code: 'PGRST114',
    message: 'limit/offset querystring parameters are not allowed for PUT',
  })
