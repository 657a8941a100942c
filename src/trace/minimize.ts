// Minimizes a list: finds the items needed for a failure by removing smaller and smaller parts.

/** The result of one trial. */
export interface Trial {
  readonly fails: boolean
  /** The kept numbers that had an effect before the failure; the others can be removed without a trial. */
  readonly used: readonly number[]
}

/** A minimized list. */
export interface Minimized {
  readonly kept: readonly number[]
  readonly tried: number
  /** No single item can be removed. */
  readonly isOneMinimal: boolean
}

/** Progress between two trials. */
export interface MinimizeProgress {
  readonly left: number
  readonly tried: number
}

/**
 * Removes halves, quarters and so on down to single items, from the end, until no single one can be removed.
 * Yields after each trial, so that the caller can show progress or stop. The whole list must fail.
 */
export function* minimizeList(
  all: readonly number[],
  attempt: (kept: readonly number[]) => Trial,
): Generator<MinimizeProgress, Minimized, boolean | undefined> {
  let kept = all
  let tried = 0
  let size = Math.max(1, Math.ceil(all.length / 2))
  for (let isDone = kept.length === 0; !isDone; size = Math.max(1, Math.floor(size / 2))) {
    let isSmaller = false
    for (let end = kept.length; end > 0;) {
      const start = Math.max(0, end - size)
      const { fails, used } = attempt([...kept.slice(0, start), ...kept.slice(end)])
      tried += 1
      if (fails) kept = used
      isSmaller ||= fails
      end = Math.min(start, kept.length)
      if ((yield { left: kept.length, tried }) === false) return { kept, tried, isOneMinimal: false }
    }
    isDone = size === 1 && !isSmaller
  }
  return { kept, tried, isOneMinimal: true }
}
