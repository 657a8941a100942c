// A demo function that streams its response: the lookout's sightings, as server-sent events, lines or text.
import type { FunctionContext } from '../../functions/index.ts'

const SIGHTINGS = ['a light', 'the ferry', 'two dinghies', 'a seal', 'the pilot boat', 'fog in the west']
const BEARINGS = [10, 75, 130, 185, 240, 300]
const FORMS = ['sse', 'lines', 'text'] as const
type Form = (typeof FORMS)[number]

const TYPES: Readonly<Record<Form, string>> = {
  sse: 'text/event-stream',
  lines: 'application/x-ndjson',
  text: 'text/plain; charset=utf-8',
}

/**
 * `?count=10&every=400&as=sse|lines|text`; ends at the function's timeout, or when the reader disconnects.
 */
export default function watch(request: Request, { signal }: Pick<FunctionContext, 'signal'>): Response {
  const { searchParams } = new URL(request.url)
  const as = FORMS.find(form => form === searchParams.get('as')) ?? 'sse'
  const count = within(searchParams.get('count'), 10, 10_000)
  const intervalMs = within(searchParams.get('every'), 400, 10_000)
  return new Response(sightings(as, count, intervalMs, signal), {
    headers: { 'content-type': TYPES[as], 'cache-control': 'no-store' },
  })
}

function sightings(
  as: Form,
  count: number,
  intervalMs: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const left = new AbortController()
  const ends = AbortSignal.any([left.signal, signal])
  let next = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next > 0) await delay(intervalMs, ends)
      if (ends.aborted || next >= count) {
        if (as === 'sse') controller.enqueue(encoder.encode('event: end\ndata: The watch is over.\n\n'))
        return controller.close()
      }
      controller.enqueue(encoder.encode(written(as, next++)))
    },
    cancel: () => left.abort(),
  })
}

function written(as: Form, n: number): string {
  const sighting = { n: n + 1, what: SIGHTINGS[n % SIGHTINGS.length], bearing: BEARINGS[n % BEARINGS.length] }
  if (as === 'lines') return `${JSON.stringify(sighting)}\n`
  if (as === 'text') return `${sighting.n}. Sighted ${sighting.what}, bearing ${sighting.bearing}°\n`
  return `id: ${sighting.n}\nevent: sighting\ndata: ${JSON.stringify(sighting)}\n\n`
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

function within(text: string | null, fallback: number, max: number): number {
  const number = Number(text ?? fallback)
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.round(number), max) : fallback
}
