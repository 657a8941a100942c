// From where a caller asks: a challenge is answered from where it was made.
import { isIP } from 'node:net'

const LOOPBACK = '127.0.0.1'

/** The first address that proxies name; on a loopback server that nobody stands before, the loopback address. */
export function addressOf({ headers }: Request): string {
  const named = (headers.get('x-forwarded-for') ?? '').split(',').map(part => part.trim())
  // One with a zone means something to its own machine alone; the database takes none.
  return named.find(part => isIP(part) > 0 && !part.includes('%')) ?? LOOPBACK
}
