// Measures the phases of the startup.

/** Called at the end of each phase with its duration in milliseconds. */
export type OnPhase = (name: string, milliseconds: number) => void

/** Ends a phase, which began when the previous one ended. */
export type EndPhase = (name: string) => void

export function measurePhases(onPhase: OnPhase | undefined): EndPhase {
  let since = performance.now()
  return name => {
    const now = performance.now()
    onPhase?.(name, now - since)
    since = now
  }
}
