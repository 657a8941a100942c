// Origins whose pages may use this backend. A simple request has effects even if its response can't be read,
// so pages of other origins are refused rather than just denied CORS headers.
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../shared/hosts.ts'

/** Whether pages of an origin may use the backend. */
export type OriginPolicy = (origin: string) => boolean

/** Allows loopback pages and the origins of the given URLs; wildcard patterns allow nothing. */
export function createOriginPolicy(addresses: readonly string[] = []): OriginPolicy {
  const allowed = new Set(addresses.map(originOf))
  return origin => {
    const url = URL.parse(origin)
    if (!url) return false
    return (isWeb(url) && isLoopback(url.hostname)) || allowed.has(originOf(origin) ?? origin)
  }
}

/**
 * Parses an origin as sent by browsers, such as `https://app.example`.
 * @throws TypeError for anything else, including `null` and URLs with a path
 */
export function parseOrigin(text: string): string {
  const origin = originOf(text)
  const rest = URL.parse(text)
  const isBare = rest && /^\/?$/.test(rest.pathname + rest.search + rest.hash + rest.username + rest.password)
  if (origin !== undefined && isBare) return origin
  throw new TypeError(`"${text}" is not an origin. Write scheme, host and port, such as https://app.example.`)
}

/**
 * The origin of the page that makes a request, from `Origin`. Without that header, a cross-site request with
 * a key (an image, a script or a link with `?apikey=`) counts as coming from the page in `Referer`.
 * `undefined` for programs and for browser requests without a key.
 */
export function callingOrigin({ headers, url = '/' }: IncomingMessage): string | undefined {
  if (headers.origin !== undefined) return headers.origin
  if (headers['sec-fetch-site'] !== 'cross-site') return undefined
  const hasKey = URL.parse(url, 'http://localhost')?.searchParams.has('apikey') ?? true
  return hasKey ? (originOf(headers.referer ?? '') ?? 'null') : undefined
}

const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:'

/** Native shells (`tauri://localhost`) also have an origin, which the URL standard treats as opaque. */
function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^([\w.-]+|\[[\da-f:]+\])$/.test(url.hostname) ? `${url.protocol}//${url.host}` : undefined
}
