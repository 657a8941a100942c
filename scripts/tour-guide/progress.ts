// Where the reader is in the tour, stored so that a reload resumes it.

export interface TourProgress {
  /** Index of the shown step. */
  readonly at: number
  /** Ids of the steps that the page has seen done. */
  readonly done: readonly string[]
  readonly isClosed: boolean
}

export const TOUR_START: TourProgress = { at: 0, done: [], isClosed: false }

/** Reads a stored progress; the start if there is none, or not of this tour. */
export function readProgress(text: string | null, ids: readonly string[]): TourProgress {
  const stored = parsed(text)
  if (typeof stored !== 'object' || stored === null) return TOUR_START
  const { at, done, isClosed } = stored as Readonly<Record<string, unknown>>
  const known = Array.isArray(done) ? ids.filter(id => done.includes(id)) : []
  const isStep = typeof at === 'number' && Number.isInteger(at) && at >= 0 && at < ids.length
  return { at: isStep ? at : 0, done: known, isClosed: isClosed === true }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
