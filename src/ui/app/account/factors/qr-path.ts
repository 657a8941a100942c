// A QR code as one path of an SVG; loaded when somebody sets up an authenticator app.
import { encode } from 'uqr'

export interface QrPath {
  /** Modules in a row, with the quiet zone around. */
  readonly size: number
  /** For `d`. */
  readonly path: string
}

/** Scanners ask for four light modules around it. */
const QUIET = 4

export const qrPath = (text: string): QrPath => {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET })
  const dark = data.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: dark.join('') }
}
