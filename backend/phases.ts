// What a start spends its time on.

/** Told of each phase when it has passed, with its length in milliseconds. */
export type OnPhase = (name: string, milliseconds: number) => void

/** Ends a phase: what passed since the one before it ended. */
export type EndPhase = (name: string) => void

export function measurePhases(onPhase: OnPhase | undefined): EndPhase {
  let since = performance.now()
  return name => {
    const now = performance.now()
    onPhase?.(name, now - since)
    since = now
  }
}
