// From where a caller asks: a challenge is answered from where it was made.
import { isIP } from 'node:net'
import { LOOPBACK } from '../../gateway/hosts.ts'

/** The address of the other end of the connection, which the gateway puts in place of what the caller sent. */
export function addressOf({ headers }: Request): string {
  const peer = headers.get('x-forwarded-for') ?? ''
  return isIP(peer) > 0 ? peer : LOOPBACK
}
