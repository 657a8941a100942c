// How PostgREST prints characters in its error messages.

/** The text in quotes, with its escapes: control characters by name, those beyond ASCII by number. */
export function printed(text: string, quote: '"' | "'"): string {
  let result: string = quote
  let previous = ''
  for (const character of text) {
    const escaped = character === quote ? `\\${quote}` : escapedCharacter(character)
    result += isAmbiguous(previous, escaped) ? `\\&${escaped}` : escaped
    previous = escaped
  }
  return result + quote
}

/** Whether an escape would seem to include what follows it. */
const isAmbiguous = (escaped: string, next: string): boolean =>
  (/^\\\d/.test(escaped) && /^\d/.test(next)) || (escaped === '\\SO' && next === 'H')

const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'
const controlNames = CONTROL_NAMES.split(' ')

function escapedCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\\') return '\\\\'
  if (code < 0x20) return `\\${controlNames[code]}`
  if (code === 0x7f) return '\\DEL'
  return code < 0x7f ? character : `\\${code}`
}
