// Waits for a stop signal: Ctrl-C, a closed terminal or SIGTERM.

/** Ctrl-C arrives from the terminal and again through npm; within this time they count as one. */
const SAME_KEYSTROKE_MS = 500
/** A stop that takes longer than this is considered hung. */
const STOP_DEADLINE_MS = 10_000

/**
 * Resolves with the first stop signal. After that, the process has ten seconds to exit, and a second signal
 * ends it immediately.
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
        process.stderr.write('Shutdown timed out; exiting.\n')
        process.exit(1)
      }, STOP_DEADLINE_MS).unref()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}
