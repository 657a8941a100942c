// Who may speak with the inspector's server: programs and pages of this machine.

/** What a request says of itself. */
export interface Caller {
  /** Its `Host`: a page that was led here by a name of its own says that name. */
  readonly host: string | undefined
  /** Only browsers send it. */
  readonly origin: string | undefined
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the address that was asked for is this machine's own. */
export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.has(nameOf(`http://${host}`) ?? '')
}

/** Whether an app may tell of itself: a program, a page of this machine, or one that was allowed by name. */
export function mayTell({ host, origin }: Caller, allowed: readonly string[]): boolean {
  if (!isOwnHost(host)) return false
  if (origin === undefined) return true
  return allowed.includes(origin) || LOOPBACK.has(nameOf(origin) ?? '')
}

/** Whether somebody may read what apps told: the page that this server gave out, and nobody else. */
export function mayRead({ host, origin }: Caller): boolean {
  return isOwnHost(host) && origin === `http://${host}`
}

function nameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
