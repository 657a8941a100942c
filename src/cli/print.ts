// The only way of the commands to the terminal: texts of files and of the network cannot steer it.

/** What steers a terminal or hides in a text: C0 and C1 but for tabs, directions, joiners, line separators. */
const CONTROLS = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const ESCAPE = '\u001b'
/** Our own colors. */
const COLOR = /^\[\d{1,2}m/

const escapedCode = (letter: string) => {
  const code = letter.codePointAt(0) ?? 0
  const digits = code.toString(16)
  return code < 0x100 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`
}

/** A text as one line without control characters, each of which is written as its code: `\x1b`. */
export const oneLine = (text: string): string =>
  text.replaceAll(CONTROLS, letter => (letter === '\n' ? '\\n' : escapedCode(letter)))

/** Escapes what steers a terminal; lines and our own colors stay. Values within a line go through `oneLine` first. */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (letter, at: number) =>
    letter === '\n' || (letter === ESCAPE && COLOR.test(text.slice(at + 1, at + 5)))
      ? letter
      : escapedCode(letter),
  )

/** A text of several lines, none of which after the first can pass for one of ours. */
export const indented = (text: string): string =>
  text
    .split('\n')
    .map((line, at) => (at === 0 || line.startsWith(' ') ? '' : '  ') + oneLine(line))
    .join('\n')

/** Writes to the standard output. */
export function print(text: string): void {
  process.stdout.write(printable(text))
}

/** Writes to the standard error. */
export function printError(text: string): void {
  process.stderr.write(printable(text))
}

/** Writes data that a program may read: unchanged, but for a terminal. */
export function printData(text: string): void {
  process.stdout.write(process.stdout.isTTY ? printable(text) : text)
}
