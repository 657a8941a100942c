// Progress line of long work on a terminal: done, total and elapsed time; hidden if the output is not a
// terminal.
import { oneLine } from './print.ts'

export interface Progress {
  /** Updates the progress; `whole` is the total, if known. */
  readonly at: (done: number, whole?: number) => void
  /** Removes the line. */
  readonly end: () => void
}

/** Short work shows no progress. */
const SHOWN_AFTER = 400
const DRAWN_EVERY = 100

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>

/** Starts a progress line with the label `what` that counts `units`. */
export function startProgress(
  what: string,
  units: string,
  terminal: Terminal = process.stderr,
  now = () => performance.now(),
): Progress {
  if (!terminal.isTTY) return { at: () => undefined, end: () => undefined }
  const start = now()
  let drawn: number | undefined
  return {
    at(done, whole) {
      const time = now()
      if (time < (drawn === undefined ? start + SHOWN_AFTER : drawn + DRAWN_EVERY)) return
      drawn = time
      const of = whole === undefined ? '' : ` of ${count(whole)}`
      const line = `${oneLine(what)}: ${count(done)}${of} ${units}, ${((time - start) / 1000).toFixed(0)} s`
      terminal.write(`\r\u001b[2K${line.slice(0, Math.max(20, (terminal.columns ?? 80) - 1))}`)
    },
    end() {
      if (drawn !== undefined) terminal.write('\r\u001b[2K')
    },
  }
}

const count = (value: number) => value.toLocaleString('en')
