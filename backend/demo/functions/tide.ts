// The demo function: the height of the tide at a port, computed with a sine.

const HALF_TIDE_MS = (12 * 60 + 25.2) * 30_000
const PERIOD_MS = 2 * HALF_TIDE_MS
const MEAN_M = 2.6
const AMPLITUDE_M = 1.8

const PORTS = new Map(
  Object.entries({
    gullhaven: 0,
    'northing head': 0.18,
    'sallow quay': 0.41,
    'the skerries': 0.66,
  }),
)

/**
 * Takes `{ port?, at? }`, returns `{ port, time, height, next: { kind, time, height } }`; heights are in
 * meters.
 */
export default async function tide(request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => ({}))
  const port = textOf(body, 'port') ?? 'Gullhaven'
  const delay = PORTS.get(port.toLowerCase())
  if (delay === undefined)
    return Response.json({ error: `No tide table for ${port}`, ports: [...PORTS.keys()] }, { status: 404 })
  const at = textOf(body, 'at')
  const time = at === undefined ? Date.now() : Date.parse(at)
  // The time of the next tide must still be a valid date.
  if (Number.isNaN(new Date(time + PERIOD_MS).getTime()))
    return Response.json({ error: `${at} is not a date` }, { status: 400 })
  const phase = (((time / PERIOD_MS - delay) % 1) + 1) % 1
  const isRising = phase >= 0.5
  const next = time + ((isRising ? 1 : 0.5) - phase) * PERIOD_MS
  return Response.json({
    port,
    time: new Date(time).toISOString(),
    height: metres(phase),
    next: {
      kind: isRising ? 'high' : 'low',
      time: new Date(next).toISOString(),
      height: metres(isRising ? 0 : 0.5),
    },
  })
}

function metres(phase: number): number {
  return Math.round((MEAN_M + AMPLITUDE_M * Math.cos(phase * 2 * Math.PI)) * 100) / 100
}

function textOf(body: unknown, field: string): string | undefined {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
