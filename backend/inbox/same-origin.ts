// Who may read the inbox: pages of this very origin and programs, which are no pages.
import { gatewayError } from '../errors.ts'

/** Whether the other end of a connection is on this machine. */
const LOCAL_PEER = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

/**
 * Refuses other machines, and what a page of another origin asks for; codes and links are in what they would get.
 * @param peer address of the other end of the connection
 */
export function refuseForeign(request: Request, peer: string | undefined): Response | undefined {
  if (peer === undefined || !LOCAL_PEER.test(peer)) {
    return gatewayError(403, 'The inbox is read on its own machine only')
  }
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  const isOwn = origin === null || origin === new URL(request.url).origin
  if (isOwn && (['same-origin', 'none'].includes(site) || isVisit(request))) return undefined
  return gatewayError(403, 'The inbox is read from its own origin only')
}

/** Following a link to the inbox shows it to the user; the page that has the link learns nothing. */
function isVisit({ method, headers }: Request): boolean {
  return (
    method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document'
  )
}
