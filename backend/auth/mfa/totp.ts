// Time-based one-time codes: creates a secret, its otpauth URL and its QR code, and verifies codes.
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const DIGITS = 6
/** One period in each direction, for clock drift and slow typing. */
const WINDOW = 1

/** The data for an authenticator app; `secret` is base32. */
export interface TotpKey {
  readonly secret: string
  readonly uri: string
  /** An SVG without `#` and `%`: the official client puts it into a data URL unescaped. */
  readonly qrCode: string
}

/** Creates a secret for an account, labeled so that the user recognizes it in the authenticator. */
export function createTotpKey(issuer: string, account: string): TotpKey {
  const secret = new Secret({ size: SECRET_BYTES })
  const uri = uriOf(secret.base32, issuer, account)
  const qrCode = renderSVG(uri, { ecc: 'H', border: 2, pixelSize: 3 })
  return { secret: secret.base32, uri, qrCode }
}

/** The URL as the official server writes it: a path escaped as Go does, the parameters in order. */
function uriOf(secret: string, issuer: string, account: string): string {
  const parameters = {
    algorithm: 'SHA1',
    digits: String(DIGITS),
    issuer,
    period: String(PERIOD_SECONDS),
    secret,
  }
  const label = encodeURIComponent(`${issuer}:${account}`)
    .replaceAll(/%(?:2[46BCF]|3[ABD]|40)/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `otpauth://totp/${label}?${new URLSearchParams(parameters).toString().replaceAll('+', '%20')}`
}

/** Whether the code is valid for the secret at the given time, in milliseconds. */
export function isTotpCode(secret: string, code: string, now: number): boolean {
  const trimmed = code.trim()
  if (!/^\d{6}$/.test(trimmed) || !/^[A-Za-z2-7]+=*$/.test(secret)) return false
  const totp = generator(Secret.fromBase32(secret), '', '')
  return totp.validate({ token: trimmed, timestamp: now, window: WINDOW }) !== null
}

function generator(secret: Secret, issuer: string, label: string): TOTP {
  return new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS })
}
