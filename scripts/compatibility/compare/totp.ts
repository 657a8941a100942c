// Codes of an authenticator app.
import { Secret, TOTP } from 'otpauth'

/** The code of a base32 secret at a time. */
export function codeOf(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })
}
