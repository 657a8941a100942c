// Pages that are too large for one response are requested again with fewer rows.
import type { ChartroomClient } from '../../../client/index.ts'
import type { ExportPager } from './export-scope.ts'

type Fetch = ChartroomClient['fetch']

const TOO_LARGE = 413

/** A `fetch` for the pages of a pager. */
export const inSmallerPages = (fetch: Fetch, pager: ExportPager): Fetch => {
  const call: Fetch = async (path, init, options) => {
    const response = await fetch(path, init, options)
    const next = response.status === TOO_LARGE ? pager.smaller() : undefined
    return next === undefined ? response : call(next.path, init, options)
  }
  return call
}
