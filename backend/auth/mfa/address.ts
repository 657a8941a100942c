// The caller's IP address: a challenge must be answered from the address that created it.
import { isIP } from 'node:net'
import { LOOPBACK } from '../../shared/hosts.ts'

/** The peer address of the connection, which the gateway writes over any value sent by the caller. */
export function addressOf({ headers }: Request): string {
  const peer = headers.get('x-forwarded-for') ?? ''
  return isIP(peer) > 0 ? peer : LOOPBACK
}
