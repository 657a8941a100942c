// What the Edge Functions print, and what the service has to say about them: the last lines of all.

export interface FunctionLogLine {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly function: string
  /** Whether the function printed it (to its standard output or error), or the service. */
  readonly from: 'stdout' | 'stderr' | 'service'
  readonly text: string
}

export interface FunctionLog {
  readonly lines: readonly FunctionLogLine[]
  add(line: Omit<FunctionLogLine, 'at'>): void
}

const KEPT_LINES = 1_000
/** As on the hosted service. */
const LONGEST_LINE = 10_000

export function createFunctionLog(onLine: (line: FunctionLogLine) => void): FunctionLog {
  const lines: FunctionLogLine[] = []
  return {
    lines,
    add(line) {
      const text = line.text.length > LONGEST_LINE ? `${line.text.slice(0, LONGEST_LINE)}…` : line.text
      const entry = { ...line, text, at: Date.now() }
      lines.push(entry)
      if (lines.length > KEPT_LINES) lines.shift()
      onLine(entry)
    },
  }
}
