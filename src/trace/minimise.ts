// Minimising a list: what must stay so that something still fails, found by leaving out ever smaller parts.

/** What became of one try. */
export interface Trial {
  readonly fails: boolean
  /** The numbers of the kept that had an effect before it failed; the rest is left out for nothing. */
  readonly used: readonly number[]
}

/** A list that was made smaller. */
export interface Minimised {
  readonly kept: readonly number[]
  readonly tried: number
  /** No single one of the kept can be left out. */
  readonly isOneMinimal: boolean
}

/** How far it is, between two tries. */
export interface MinimiseProgress {
  readonly left: number
  readonly tried: number
}

/**
 * Leaves out halves, quarters and so on down to single ones, from the end, until no single one can be left out.
 * Pauses after each try, so that the caller can tell how far it is, or give up. The whole list must fail.
 */
export function* minimiseList(
  all: readonly number[],
  attempt: (kept: readonly number[]) => Trial,
): Generator<MinimiseProgress, Minimised, boolean | undefined> {
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
