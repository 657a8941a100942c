// Requests that the backend sends on behalf of a project: to this machine only unless others are allowed, each
// redirect checked like the first address, and marked so that the backend's own tools refuse them.
import { lookup } from 'node:dns/promises'
import { isLocalPeer } from './hosts.ts'
import { isOnThisMachine } from './local-url.ts'

export interface OutgoingRules {
  /** Whether requests to other machines are sent. */
  readonly allowsOutgoing: boolean
  /** Turns an address of the local stack into one of this machine. */
  readonly toLocal: (url: string) => string
}

export interface OutgoingRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal
}

/** A request that was not sent; the message says why. */
export class NotSent extends Error {
  override name = 'NotSent'
}

/** In every such request, so that no spelling of an address, no name and no redirect reaches `/_chartroom`. */
export const SENT_BY_BACKEND = 'x-chartroom-sent-by-backend'

const MOST_REDIRECTS = 5
const OUTGOING =
  'The embedded backend sends requests only to this machine. Start it with --allow-outgoing to send them elsewhere.'

/** Headers that are for the origin of the first address, and for no other. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie', 'apikey']
const OF_BODIES = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
]

/** @throws NotSent, or the error of a failed fetch */
export async function sendOutgoing(
  first: string,
  { method: firstMethod, headers: initialHeaders, body: firstBody, signal }: OutgoingRequest,
  rules: OutgoingRules,
): Promise<Response> {
  const headers = new Headers(initialHeaders)
  headers.set(SENT_BY_BACKEND, '1')
  let [address, method, body] = [first, firstMethod, firstBody]
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const url = await checked(address, rules)
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    const location = response.headers.get('location')
    if (location === null || !REDIRECTS.includes(response.status)) return response
    await response.body?.cancel()
    const next = URL.parse(location, url)
    if (next?.origin !== url.origin) for (const name of CREDENTIALS) headers.delete(name)
    if (losesBody(response.status, method)) {
      ;[method, body] = ['GET', null]
      for (const name of OF_BODIES) headers.delete(name)
    }
    address = next?.href ?? location
  }
  throw new NotSent(`${first} was redirected more than ${MOST_REDIRECTS} times`)
}

const REDIRECTS = [301, 302, 303, 307, 308]

function losesBody(status: number, method: string): boolean {
  return (status === 303 && method !== 'GET') || ([301, 302].includes(status) && method === 'POST')
}

async function checked(address: string, { allowsOutgoing, toLocal }: OutgoingRules): Promise<URL> {
  const url = URL.parse(toLocal(address))
  if (!url || !/^https?:$/.test(url.protocol)) throw new NotSent(`Couldn't resolve the URL ${address}`)
  if (!allowsOutgoing && !(isOnThisMachine(url) && (await resolvesHere(url))))
    throw new NotSent(`${address} was not called. ${OUTGOING}`)
  return url
}

/** A resolver may give any address for a name below `localhost`. */
async function resolvesHere({ hostname }: URL): Promise<boolean> {
  if (!/[a-z]/.test(hostname) || hostname.startsWith('[')) return true
  const addresses = await lookup(hostname, { all: true }).catch(() => [])
  return addresses.every(({ address }) => isLocalPeer(address))
}
