// The signal to stop: Ctrl-C, a closed terminal or a polite kill.

/** A terminal's Ctrl-C reaches us from the terminal and again through npm; this long they count as one. */
const SAME_KEYSTROKE_MS = 500
/** A stop that takes longer than this hangs. */
const STOP_DEADLINE_MS = 10_000

/**
 * Resolves with the first signal to stop. From then on the process has ten seconds to end by itself, and a second
 * signal ends it at once.
 */
export function nextStopSignal(): Promise<void> {
  return new Promise(resolve => {
    let since: number | undefined
    const onSignal = () => {
      const now = performance.now()
      if (since !== undefined) {
        if (now - since > SAME_KEYSTROKE_MS) process.exit(130)
        return
      }
      since = now
      setTimeout(() => {
        process.stderr.write('Stopping took too long, so it ends here.\n')
        process.exit(1)
      }, STOP_DEADLINE_MS).unref()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}
