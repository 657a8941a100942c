// Formats bytes as a hex dump: offset, sixteen hexadecimal bytes per line, and their ASCII characters.

const WIDTH = 16

/** One line of sixteen bytes. */
export const hexLines = (bytes: Uint8Array): readonly string[] =>
  Array.from({ length: Math.ceil(bytes.length / WIDTH) }, (_, line) => {
    const row = [...bytes.subarray(line * WIDTH, (line + 1) * WIDTH)]
    const place = (line * WIDTH).toString(16).padStart(6, '0')
    const hex = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    return `${place}  ${hex.padEnd(WIDTH * 3 - 1)}  ${letters}`
  })

/** Parses hexadecimal bytes, with or without spaces; undefined if the text is not hexadecimal. */
export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replaceAll(/0x|[\s,:]/gi, '')
  if (digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits)) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, n) =>
    parseInt(digits.slice(n * 2, n * 2 + 2), 16),
  )
}
