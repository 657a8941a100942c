// The secret of a factor at rest: sealed for the factor, unless a project's own SQL put it there in the clear.
import type { AuthContext } from '../context.ts'
import { createSeal } from './seal.ts'

const PREFIX = 'sealed:'
const PURPOSE = 'totp'

export function sealSecret({ secrets }: AuthContext, secret: string, factorId: string): string {
  return PREFIX + createSeal(secrets.encryptionKey, PURPOSE).close(secret, factorId)
}

/** The secret in base32; empty when it can't be read back, so that no code fits. */
export function openSecret({ secrets }: AuthContext, kept: string, factorId: string): string {
  if (!kept.startsWith(PREFIX)) return kept
  try {
    return createSeal(secrets.encryptionKey, PURPOSE).open(kept.slice(PREFIX.length), factorId)
  } catch {
    return ''
  }
}
