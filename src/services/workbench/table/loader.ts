// Loads visible pages, a few at a time, and drops pages that scrolled out of view.
import type { RestResponse } from '../rest/rest.ts'

/** More requests would only queue in the database. */
const MOST_AT_ONCE = 3

export interface PageLoader {
  /** Loads exactly these pages, in this order. */
  want(pages: readonly number[]): void
  dispose(): void
}

export interface PageLoaderOptions {
  readonly read: (page: number, signal: AbortSignal) => Promise<RestResponse>
  readonly onAnswer: (page: number, answer: RestResponse) => void
}

/** Creates a loader for one query; a failure stops it. */
export const createPageLoader = ({ read, onAnswer }: PageLoaderOptions): PageLoader => {
  const flying = new Map<number, AbortController>()
  let isOver = false
  const start = (page: number) => {
    const left = new AbortController()
    flying.set(page, left)
    const isCurrent = () => !isOver && flying.get(page) === left
    read(page, left.signal).then(
      answer => {
        if (!isCurrent()) return
        flying.delete(page)
        if (!answer.ok) dispose()
        onAnswer(page, answer)
      },
      () => {
        if (isCurrent()) flying.delete(page)
      },
    )
  }
  const dispose = () => {
    isOver = true
    for (const left of flying.values()) left.abort()
    flying.clear()
  }
  return {
    want: pages => {
      if (isOver) return
      for (const [page, left] of flying)
        if (!pages.includes(page)) {
          left.abort()
          flying.delete(page)
        }
      for (const page of pages) if (!flying.has(page) && flying.size < MOST_AT_ONCE) start(page)
    },
    dispose,
  }
}
