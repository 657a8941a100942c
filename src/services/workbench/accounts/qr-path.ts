// Renders a QR code as one SVG path; loaded when an authenticator app is set up.
import { encode } from 'uqr'

interface QrPath {
  /** Modules per row, including the quiet zone. */
  readonly size: number
  /** Value of the `d` attribute. */
  readonly path: string
}

/** Scanners require a quiet zone of four light modules. */
const QUIET_ZONE = 4

export const qrPath = (text: string): QrPath => {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: dark.join('') }
}
