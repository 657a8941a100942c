// Who may read the inbox: pages of this very origin and programs, which are no pages.
import { gatewayError } from '../errors.ts'

/** Refuses what a page of another origin asks for; codes and links are in what it would get. */
export function refuseForeign(request: Request): Response | undefined {
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
