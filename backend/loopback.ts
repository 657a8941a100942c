// The names under which this backend may be called.

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/** A page on a name that merely resolves to loopback must not pass for a local one. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_HOSTS.includes(hostname)
}
