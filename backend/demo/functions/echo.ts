// A demo function that returns what it received: method, path, query, headers and body, without the caller's
// secrets.

const SECRET = /^(authorization|apikey|cookie|x-api-key)$/
const MOST_TEXT = 20_000

/** Takes any request, returns `{ method, path, query, headers, body: { type, size, … } }`. */
export default async function echo(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const headers = [...request.headers].map(([name, value]) => [name, SECRET.test(name) ? '(hidden)' : value])
  return Response.json({
    method: request.method,
    path: pathname.replace(/^\/functions\/v1\/echo/, '') || '/',
    query: [...searchParams],
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: await bodyOf(request),
  })
}

async function bodyOf(request: Request): Promise<object | null> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await request.clone().arrayBuffer())
  const about = { type, size: bytes.byteLength }
  if (bytes.byteLength === 0) return null
  if (/^multipart\/form-data|urlencoded/.test(type)) return { ...about, fields: await fieldsOf(request) }
  const text = textOf(bytes)
  if (text === undefined)
    return { ...about, base64: Buffer.from(bytes.slice(0, MOST_TEXT)).toString('base64') }
  return {
    ...about,
    ...(type.includes('json') ? { json: parsed(text) } : { text: text.slice(0, MOST_TEXT) }),
  }
}

async function fieldsOf(request: Request): Promise<unknown> {
  const form = await request.formData().catch(() => undefined)
  if (!form) return 'not a readable form'
  return [...form].map(([name, value]) =>
    typeof value === 'string'
      ? { name, value }
      : { name, file: value.name, type: value.type, size: value.size },
  )
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, MOST_TEXT)
  }
}
