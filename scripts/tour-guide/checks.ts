// Sees in the page whether the reader has done a step of the tour.

/** What the checks look at. */
export interface TourPage {
  readonly document: Document
  /** Whether the running machine treats a missing response as a refusal. */
  readonly isBroken: boolean
  /** Ids of the steps that are done. */
  readonly done: ReadonlySet<string>
}

type Check = (page: TourPage) => boolean

const all = ({ document }: TourPage, selector: string): readonly Element[] => [
  ...document.querySelectorAll(selector),
]
const has = (page: TourPage, selector: string, text = '') =>
  all(page, selector).some(({ textContent }) => textContent.includes(text))

const LOG = '[aria-label="Event log"] [role=row]'
const SELECTED = `${LOG}[aria-selected=true]`
const FILE = '[aria-label="Close file"]'
const RENEWAL = 'xstate.error.actor.renew'

const isOpen: Check = page => has(page, FILE)
const isOnWatch: Check = page => has(page, 'main [role=status]', 'is on watch')
const isPaused: Check = page => all(page, 'strong, span').some(({ textContent }) => textContent === 'PAUSED')

/** The latest renewals in the log: a failed one, and after it one that succeeded. */
const hasRecovered: Check = page => {
  const rows = all(page, LOG).map(({ textContent }) => textContent)
  const failed = rows.findLastIndex(text => text.includes(RENEWAL))
  return failed >= 0 && rows.slice(failed).some(text => text.includes('xstate.done.actor.renew'))
}

/** By step. A step that is only read, or done outside of the page, has none. */
export const CHECKS: Readonly<Record<string, Check>> = {
  '1.1': isOpen,
  '1.2': page => has(page, '[aria-label=Console] [role=toolbar]', 'event 88 of 91'),
  '1.4': page =>
    has(page, SELECTED, 'xstate.promise.reject') &&
    has(page, '[role=tabpanel]', 'the office did not respond'),
  '2.1': page => has(page, '[aria-label=Breakpoints]', 'watch/session enters signedOut'),
  '2.2': page => !isOpen(page) && isOnWatch(page),
  '2.3': isPaused,
  '2.4': page => page.done.has('2.3') && !isPaused(page),
  '3.1': page => isOpen(page) && has(page, 'button', 'Run 1 check'),
  '3.2': page => has(page, 'section', '1 of 1 failed'),
  '3.3': page => has(page, '[role=dialog]', '4 of 39 inputs'),
  '4.1': page => !page.isBroken,
  '5.1': page => has(page, '[aria-label="First difference"]'),
  '6.1': page => !page.isBroken && !isOpen(page) && isOnWatch(page) && hasRecovered(page),
  '6.2': page => has(page, 'button', 'an-outage-does-not-end-the-session.test.ts'),
}

/** Returns the steps that are done now, of those with these ids. */
export const newlyDone = (page: TourPage, ids: readonly string[]): readonly string[] =>
  ids.filter(id => !page.done.has(id) && CHECKS[id]?.(page) === true)
