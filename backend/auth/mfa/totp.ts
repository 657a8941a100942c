// Time-based one-time codes: a new secret, its address for authenticator apps, its picture, and the check of a code.
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const DIGITS = 6
/** One period to each side, for clocks that are a little off and people who type slowly. */
const WINDOW = 1

/** What a person's authenticator needs; `secret` in base32. */
export interface TotpKey {
  readonly secret: string
  readonly uri: string
  /** An SVG without `#` and `%`: the official client puts it into a data address as it is. */
  readonly qrCode: string
}

/** Makes a secret for an account, named so that the person finds it in the authenticator again. */
export function createTotpKey(issuer: string, account: string): TotpKey {
  const secret = new Secret({ size: SECRET_BYTES })
  const uri = generator(secret, issuer, account).toString()
  const qrCode = renderSVG(uri, { ecc: 'H', border: 2, pixelSize: 3 })
  return { secret: secret.base32, uri, qrCode }
}

/** Whether the code is the secret's at the time, in milliseconds. */
export function isTotpCode(secret: string, code: string, now: number): boolean {
  const trimmed = code.trim()
  if (!/^\d{6}$/.test(trimmed) || !/^[A-Za-z2-7]+=*$/.test(secret)) return false
  const totp = generator(Secret.fromBase32(secret), '', '')
  return totp.validate({ token: trimmed, timestamp: now, window: WINDOW }) !== null
}

function generator(secret: Secret, issuer: string, label: string): TOTP {
  return new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS })
}
