// Asks services of a backend whether they accept the API key, with one small request each.
import { type CheckKeyEvent, type HttpEvent, isKeyRefusal, type KeyFamily } from '../../../machines/index.ts'
import { classifyRefusal } from './classify-refusal.ts'
import { reportedFetch } from './reported-fetch.ts'

export interface KeyHost {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
}

/** Paths that any accepted key may ask for, whatever the response. */
const PATHS: Readonly<Record<KeyFamily, string>> = {
  auth: '/auth/v1/settings',
  rest: '/rest/v1/_?limit=0',
  storage: '/storage/v1/bucket',
  functions: '/functions/v1/chartroom-checks-the-api-key',
  realtime: '/realtime/v1/api/ping',
}

type Result = Extract<CheckKeyEvent, { type: 'key.checked' }>['results'][number]

async function ask({ url, key, fetch }: KeyHost, family: KeyFamily, signal: AbortSignal): Promise<Result[]> {
  try {
    const { status, headers, ...response } = await readResponse(
      await fetch(url + PATHS[family], { headers: { apikey: key }, signal }),
    )
    // A server that fails has not looked at the key.
    if (status >= 500) return []
    const refusal = classifyRefusal({ family, status, headers, text: response.text, bearer: 'key' })
    return [isKeyRefusal(refusal) ? { family, refusal } : { family }]
  } catch {
    return []
  }
}

const readResponse = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  text: response.ok ? '' : (await response.text()).slice(0, 2_000),
})

/** Leaves out the services that do not respond. `report` receives each call. */
export async function checkKey(
  host: KeyHost,
  families: readonly KeyFamily[],
  signal: AbortSignal,
  report: (event: HttpEvent) => void = () => undefined,
): Promise<CheckKeyEvent> {
  const fetch = reportedFetch(host, report)
  const results = await Promise.all(families.map(family => ask({ ...host, fetch }, family, signal)))
  return { type: 'key.checked', results: results.flat() }
}
