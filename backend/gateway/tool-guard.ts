// Access to `/_chartroom`: emails, faults, the simulated OAuth provider and the app's configuration contain
// or grant access to accounts, so only programs on this machine and pages of the same origin may use them.
import type { IncomingMessage } from 'node:http'
import { isLocalPeer, isLoopback } from '../shared/hosts.ts'
import { SENT_BY_BACKEND } from '../shared/outgoing.ts'

/** A proxy on this machine forwards other machines' requests. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** The parts of a request that the guard reads. */
export type GuardedRequest = Pick<IncomingMessage, 'method' | 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/**
 * Returns why a request is refused; `undefined` if it is allowed.
 * @param isForNetwork whether other machines are allowed too
 */
export function refuseTool(request: GuardedRequest, isForNetwork = false): string | undefined {
  if (request.headers[SENT_BY_BACKEND] !== undefined)
    return 'Tools under /_chartroom are not available to requests that a project sends'
  const ownUrl = URL.parse(`http://${request.headers.host ?? ''}`)
  if (!ownUrl) return 'The request has no host'
  if (!isForNetwork && !isOnThisMachine(request, ownUrl))
    return 'Tools under /_chartroom are only available on this machine'
  if (isOwnPage(request, ownUrl) || isVisit(request)) return undefined
  return 'Tools under /_chartroom are only available to pages of the same origin'
}

function isOnThisMachine({ headers, socket }: GuardedRequest, { hostname }: URL): boolean {
  const isProxied = PROXY_HEADERS.some(name => headers[name] !== undefined)
  return isLoopback(hostname) && !isProxied && isLocalPeer(socket.remoteAddress)
}

/** Programs send neither of the two headers. */
function isOwnPage({ headers }: GuardedRequest, { host }: URL): boolean {
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  const isOwn = origin === undefined || URL.parse(origin)?.host === host
  return isOwn && (site === 'same-origin' || site === 'none')
}

/** Following a link shows a page to the user; the linking page learns nothing. */
function isVisit({ method, headers }: GuardedRequest): boolean {
  return (
    method === 'GET' &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}
