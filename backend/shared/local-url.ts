// URLs of this machine, as the containers of a local Supabase stack write them.
import { isLoopback } from './hosts.ts'

/** The port of the local stack of the Supabase CLI. */
const USUAL_PORT = 54_321
/** The gateway's name and port inside of that stack. */
const GATEWAY = /^(?:kong|supabase_kong(?:_.*)?|api\.supabase\.internal)$/
const HOST_OF_CONTAINERS = /^(?:host\.docker\.internal|gateway\.docker\.internal)$/

/** Whether a URL names this machine, directly or as a container would. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return isLoopback(hostname) || HOST_OF_CONTAINERS.test(hostname) || GATEWAY.test(hostname)
}

/**
 * The same URL for a process of this machine. The stack's own address becomes this backend's.
 * @param server this backend's port, and the one that the project configures
 */
export function localUrl(
  text: string,
  server: { readonly port: number; readonly configured?: number | undefined },
): string {
  const url = URL.parse(text)
  if (!url || !isOnThisMachine(url)) return text
  const isGateway = GATEWAY.test(url.hostname)
  const isStack = isGateway || Number(url.port) === (server.configured ?? USUAL_PORT)
  if (!isLoopback(url.hostname)) url.hostname = '127.0.0.1'
  if (isStack) {
    url.protocol = 'http:'
    url.port = String(server.port)
  }
  return url.href
}
