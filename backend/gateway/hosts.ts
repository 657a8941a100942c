// The names under which this backend may be called: a page on a name that merely resolves to it is no local one.
import { networkInterfaces } from 'node:os'

/** Where the gateway listens by default: nothing beyond this machine reaches it. */
export const LOOPBACK = '127.0.0.1'

const WILDCARDS = ['0.0.0.0', '[::]']

/** Whether an address or name means this machine alone: `localhost` and names below it, 127.0.0.0/8 and ::1. */
export function isLoopback(name: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(bracketed(name))
}

/** Whether the other end of a connection is on this machine. */
export function isLocalPeer(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127(\.\d+){3})$/.test(address)
}

/** Decides over the `Host` of a request, with its port, for a server that listens at `host` and `port`. */
export function isKnownHost(header: string | undefined, host: string, port: number): boolean {
  const called = header === undefined ? null : URL.parse(`http://${header}`)
  if (!called || called.username !== '' || called.pathname !== '/') return false
  if (Number(called.port || 80) !== port) return false
  return isLoopback(called.hostname) || namesOf(host).includes(called.hostname)
}

/** Listening everywhere, the machine's own addresses will do: an address can't be rebound as a name can. */
function namesOf(host: string): string[] {
  const given = bracketed(host)
  if (!WILDCARDS.includes(given)) return [given]
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(one => bracketed(one.address)))
}

/** As a URL writes it: in small letters, an IPv6 address in brackets. */
function bracketed(name: string): string {
  const text = name.includes(':') && !name.startsWith('[') ? `[${name.replace(/%[^]*/, '')}]` : name
  return URL.parse(`http://${text}`)?.hostname ?? text.toLowerCase()
}
