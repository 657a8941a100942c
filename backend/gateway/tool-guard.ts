// Who may use what is under `/_chartroom`: mails, faults, the OAuth stand-in and the app's configuration hold or give
// away accounts, so they are for programs on this machine and for pages of their own origin.
import type { IncomingMessage } from 'node:http'
import { isLocalPeer, isLoopback } from './hosts.ts'

/** A proxy on this machine speaks for others. */
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
 * Explains why a request may not pass; `undefined` if it may.
 * @param isForNetwork whether other machines may pass as well
 */
export function refuseTool(request: GuardedRequest, isForNetwork = false): string | undefined {
  const own = URL.parse(`http://${request.headers.host ?? ''}`)
  if (!own) return 'The request names no host'
  if (!isForNetwork && !isOnThisMachine(request, own))
    return 'Tools under /_chartroom are for this machine only'
  if (isOwnPage(request, own) || isVisit(request)) return undefined
  return 'Tools under /_chartroom are for pages of their own origin only'
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

/** Following a link shows a page to the user; the page that has the link learns nothing. */
function isVisit({ method, headers }: GuardedRequest): boolean {
  return (
    method === 'GET' &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}
