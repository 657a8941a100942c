// Host names of this backend: a page whose host name merely resolves to it is not local (DNS rebinding).
import { networkInterfaces } from 'node:os'

/** The gateway's default address, reachable only from this machine. */
export const LOOPBACK = '127.0.0.1'

const WILDCARDS = ['0.0.0.0', '[::]']

/** Whether an address or name is loopback: `localhost` and its subdomains, 127.0.0.0/8 and ::1. */
export function isLoopback(name: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(bracketed(name))
}

/** Whether the peer of a connection is on this machine. */
export function isLocalPeer(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127(\.\d+){3})$/.test(address)
}

/**
 * Checks the `Host` header of a request, including its port, for a server that listens at `host` and `port`.
 * @param allowed names that a proxy keeps, whose port is the proxy's
 */
export function isKnownHost(
  header: string | undefined,
  host: string,
  port: number,
  allowed: readonly string[] = [],
): boolean {
  const called = header === undefined ? null : URL.parse(`http://${header}`)
  if (!called || called.username !== '' || called.pathname !== '/') return false
  if (allowed.includes(called.hostname)) return true
  if (Number(called.port || 80) !== port) return false
  return isLoopback(called.hostname) || namesOf(host).includes(called.hostname)
}

/**
 * Normalizes a host name without a port.
 * @throws Error if it is not one
 */
export function parseHost(text: string): string {
  const url = URL.parse(`http://${text}`)
  // A default port is not in the parsed URL.
  const hasPort = /:\d*$/.test(text)
  if (
    !url ||
    hasPort ||
    text.includes('*') ||
    url.host !== url.hostname ||
    url.href !== `http://${url.hostname}/`
  )
    throw new Error(`"${text}" is not a host name, such as api.example.test; a port is not part of it.`)
  return url.hostname
}

/**
 * If the server listens on all interfaces, the machine's own addresses are accepted: unlike a name, an
 * address can't be rebound.
 */
function namesOf(host: string): string[] {
  const hostName = bracketed(host)
  if (!WILDCARDS.includes(hostName)) return [hostName]
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(one => bracketed(one.address)))
}

/** Formats a host like a URL: lower case, an IPv6 address in brackets. */
function bracketed(name: string): string {
  const text = name.includes(':') && !name.startsWith('[') ? `[${name.replace(/%[^]*/, '')}]` : name
  return URL.parse(`http://${text}`)?.hostname ?? text.toLowerCase()
}
