// The stored secret of a factor: encrypted, unless a project's own SQL stored it in plain text.
import type { AuthContext } from '../context.ts'
import { createSeal } from './seal.ts'

const PREFIX = 'sealed:'
const PURPOSE = 'totp'

export function sealSecret({ secrets }: AuthContext, secret: string, factorId: string): string {
  return PREFIX + createSeal(secrets.encryptionKey, PURPOSE).close(secret, factorId)
}

/** The secret in base32; empty if it can't be decrypted, so that no code matches. */
export function openSecret({ secrets }: AuthContext, sealedSecret: string, factorId: string): string {
  if (!sealedSecret.startsWith(PREFIX)) return sealedSecret
  try {
    return createSeal(secrets.encryptionKey, PURPOSE).open(sealedSecret.slice(PREFIX.length), factorId)
  } catch {
    return ''
  }
}
