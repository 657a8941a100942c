// Whose data a client reads and writes at a moment.
import { type ClientStatus, SIGNED_OUT } from '../../machines/index.ts'

/** A user's id, `SIGNED_OUT` while signed out; undefined while the session is not known or changing. */
export function identityIn({ session }: ClientStatus): string | undefined {
  if (session.phase === 'authenticated') return session.user.id
  return session.phase === 'signedOut' ? SIGNED_OUT : undefined
}
