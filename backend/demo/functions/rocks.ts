// A demo function that responds with the requested error status and body type, or throws.

const WORDS: Readonly<Record<number, string>> = {
  400: 'The course leads onto the rocks',
  403: 'The harbour master forbids it',
  409: 'Another vessel lies at this berth',
  422: 'A draught of 12 m is too much for this channel',
  429: 'The lock takes one vessel at a time',
  500: 'The chart table caught fire',
  503: 'The harbour is closed for the gale',
}

/** `?status=422&as=json|text|html`; `?throw=1` throws instead of responding. */
export default function rocks(request: Request): Response {
  const { searchParams } = new URL(request.url)
  if (searchParams.has('throw')) throw new Error('aground')
  const requestedStatus = Number(searchParams.get('status') ?? 422)
  const status =
    Number.isInteger(requestedStatus) && requestedStatus >= 200 && requestedStatus <= 599
      ? requestedStatus
      : 422
  const message = WORDS[status] ?? `Answered ${status}, as asked`
  const headers = status === 429 || status === 503 ? { 'retry-after': '5' } : {}
  // These statuses must not have a body.
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status })
  switch (searchParams.get('as')) {
    case 'text':
      return new Response(`${message}\n`, { status, headers })
    case 'html':
      return new Response(`<h1>${message}</h1><script>document.title = 'aground'</script>\n`, {
        status,
        headers: { ...headers, 'content-type': 'text/html' },
      })
    default:
      return Response.json(
        { code: `ROCKS_${status}`, message, details: { vessel: 'Kittiwake' } },
        { status, headers },
      )
  }
}
