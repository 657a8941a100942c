// A file's trace for views that read a source: its views have all but what only whole records have.
import type { TraceSource, ViewRecord } from '../../../trace/format.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { ShownTrace } from './shown-trace.ts'

/** A view as the timeline knows it: without payload, context, output and error. */
function thinView(timeline: Timeline, seq: number): ViewRecord | undefined {
  if (!(seq >= 0 && seq < timeline.size)) return undefined
  const [by, from, { value }, via] = [
    timeline.by(seq),
    timeline.from(seq),
    timeline.state(seq),
    timeline.via(seq),
  ]
  return {
    line: 'view',
    seq,
    t: timeline.t(seq),
    actor: timeline.actor(seq),
    event: { type: timeline.type(seq) },
    cause: timeline.cause(seq),
    status: timeline.status(seq),
    changed: timeline.changed(seq),
    ...(by >= 0 && { by }),
    ...(from >= 0 && { from }),
    ...(value !== undefined && { value }),
    ...(via.length > 0 && { via }),
  }
}

/** The source that a trace in memory has, or what stands for one. Lists are read by number; nothing walks them. */
export function sourceOfTrace(trace: ShownTrace): TraceSource {
  if (trace.source) return trace.source
  const { timeline, details, header } = trace
  const view = (seq: number) => details.peek(seq) ?? thinView(timeline, seq)
  return {
    live: false,
    header,
    actors: timeline.actors,
    stimuli: listOf(
      () => timeline.stimuli,
      seq => {
        const facts = timeline.stimulus(seq)
        return facts && { line: 'stimulus', ...facts }
      },
    ),
    views: listOf(() => timeline.size, view),
    get damage() {
      return trace.damage()
    },
    version: () => timeline.version,
    subscribe: timeline.subscribe,
  }
}

/** A list whose items are made when they are read. */
function listOf<T>(length: () => number, item: (at: number) => T | undefined): readonly T[] {
  return new Proxy<T[]>([], {
    get(list, key, self) {
      if (key === 'length') return length()
      if (typeof key === 'string' && /^\d+$/.test(key)) return item(Number(key))
      return Reflect.get(list, key, self) as unknown
    },
    has: (list, key) =>
      typeof key === 'string' && /^\d+$/.test(key) ? Number(key) < length() : Reflect.has(list, key),
  })
}
