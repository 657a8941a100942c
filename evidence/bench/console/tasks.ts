// The longest task of a page, from a Chromium trace: by the clock, and by the processor time of the page's thread.
import type { Page } from 'playwright-core'

/** In milliseconds. */
interface LongestTask {
  /** Processor time of the page's own thread, which other programs affect little. */
  readonly thread: number
  /** Duration, which grows while other programs have the processor. */
  readonly clock: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Duration and processor time in microseconds. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const TASK = 'ThreadControllerImpl::RunTask'
/** The thread of a renderer that runs the scripts of its pages; workers have others. */
const PAGE_THREAD = 'CrRendererMain'

/** Runs `act`, and returns its result with the longest tasks of pages in the meantime. */
export async function longestTaskOf<T>(
  page: Page,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly longest: LongestTask }> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser that can be traced.')
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  const result = await act()
  return { result, longest: longestIn(await browser.stopTracing()) }
}

export const describeTask = ({ thread, clock }: LongestTask): string =>
  `longest task ${thread.toFixed(1)} ms of the processor, ${clock.toFixed(1)} ms by the clock`

function longestIn(trace: Buffer): LongestTask {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === PAGE_THREAD)
      .map(threadOf),
  )
  const tasks = traceEvents.filter(event => event.name === TASK && pages.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('The trace of Chromium has no tasks of a page.')
  const longest = (of: 'dur' | 'tdur') =>
    tasks.reduce((most, task) => Math.max(most, task[of] ?? 0), 0) / 1000
  return { thread: longest('tdur'), clock: longest('dur') }
}
