// The only terminal output of the commands, with their progress: texts from files and the network cannot
// control the terminal.

import { controlCode, oneLine } from '../trace/index.ts'

/** All but the tab of what `oneLine` replaces. */
const CONTROLS = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const ESCAPE = '\u001b'
/** Our own colors. */
const COLOR = /^\[\d{1,2}m/

/**
 * Escapes terminal control characters except line breaks and our own colors. Pass values within a line to
 * `oneLine` first.
 */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (letter, at: number) =>
    letter === '\n' || (letter === ESCAPE && COLOR.test(text.slice(at + 1, at + 5)))
      ? letter
      : controlCode(letter),
  )

/** Indents all lines of a text after the first, so that none can be mistaken for one of ours. */
export const indented = (text: string): string =>
  text
    .split('\n')
    .map((line, at) => (at === 0 || line.startsWith(' ') ? '' : '  ') + oneLine(line))
    .join('\n')

/** Writes to standard output. */
export function print(text: string): void {
  process.stdout.write(printable(text))
}

/** Writes to standard error. */
export function printError(text: string): void {
  process.stderr.write(printable(text))
}

/** Writes data for programs: unchanged, except to a terminal. */
export function printData(text: string): void {
  process.stdout.write(process.stdout.isTTY ? printable(text) : text)
}

/** A line about long work on a terminal: done, total and elapsed time. */
export interface Progress {
  /** Updates the progress; `whole` is the total, if known. */
  readonly at: (done: number, total?: number) => void
  /** Removes the line. */
  readonly end: () => void
}

/** Short work shows no progress. */
const SHOWN_AFTER = 400
const DRAWN_EVERY = 100

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>

/** Starts a progress line with the label `what` that counts `units`; hidden if the output is not a terminal. */
export function startProgress(
  what: string,
  units: string,
  terminal: Terminal = process.stderr,
  now = () => performance.now(),
): Progress {
  if (!terminal.isTTY) return { at: () => undefined, end: () => undefined }
  const start = now()
  let drawnAt: number | undefined
  return {
    at(done, total) {
      const time = now()
      if (time < (drawnAt === undefined ? start + SHOWN_AFTER : drawnAt + DRAWN_EVERY)) return
      drawnAt = time
      const of = total === undefined ? '' : ` of ${count(total)}`
      const line = `${oneLine(what)}: ${count(done)}${of} ${units}, ${((time - start) / 1000).toFixed(0)} s`
      terminal.write(`\r\u001b[2K${line.slice(0, Math.max(20, (terminal.columns ?? 80) - 1))}`)
    },
    end() {
      if (drawnAt !== undefined) terminal.write('\r\u001b[2K')
    },
  }
}

const count = (value: number) => value.toLocaleString('en')
