// What a view of the console reads of a trace, except the place.
import type { TraceSource } from '../../src/trace/index.ts'
import { Bookmarks } from '../../src/ui/console/bookmarks/bookmark-store.ts'
import { ConsoleMachine } from '../../src/ui/console/model/console-machine.ts'
import { TraceChecks } from '../../src/ui/console/checks/trace-checks.ts'
import { memoryTrace } from '../../src/ui/console/model/shown-trace.ts'

/** The whole trace; its app does not respond, and nothing can be controlled. */
export function consoleParts(source: TraceSource) {
  const trace = memoryTrace(source)
  trace.feed.advance(Infinity)
  const { header, timeline, details } = trace
  const download = () => Promise.reject(new Error('The app is not responding.'))
  return {
    trace,
    header,
    timeline,
    size: timeline.size,
    details,
    charts: {},
    machine: new ConsoleMachine(() => undefined),
    checks: new TraceChecks({ trace, opened: undefined, download, systems: () => ({}) }),
    bookmarks: new Bookmarks({ bookmark: () => undefined }, undefined, timeline),
    chartLayouts: { layout: download, made: () => undefined, dispose: () => undefined },
    driver: {},
    folding: { isFolded: false, rows: undefined },
    network: undefined,
    beside: () => null,
  }
}
