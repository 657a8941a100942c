// Access control of the inspector's server: only programs and pages of this machine.

/** The relevant headers of a request. */
export interface Caller {
  /** The `Host` header, which reveals DNS rebinding: it contains the name that the page used. */
  readonly host: string | undefined
  /** Sent by browsers only. */
  readonly origin: string | undefined
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the requested host is this machine. */
export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.has(nameOf(`http://${host}`) ?? '')
}

/**
 * Whether an app may send events: a program, a page of this machine, or an origin that is allowed explicitly.
 */
export function mayTell({ host, origin }: Caller, allowed: readonly string[]): boolean {
  if (!isOwnHost(host)) return false
  if (origin === undefined) return true
  return allowed.includes(origin) || LOOPBACK.has(nameOf(origin) ?? '')
}

/** Whether the caller may read the apps' events: only the page that this server delivered. */
export function mayRead({ host, origin }: Caller): boolean {
  return isOwnHost(host) && origin === `http://${host}`
}

function nameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
