// Handwritten traces and charts for the console's tests.
import type { ActorEntry, StateValue, StepRecord, Stimulus } from '../../src/trace/format/records.ts'
import type { ChartState, ChartTransition, MachineChart } from '../../src/trace/format/chart.ts'
import type { TraceSource } from '../../src/trace/format/trace-source.ts'
import { LiveFeed } from '../../src/trace/timeline/feed.ts'
import type { Timeline } from '../../src/trace/timeline/timeline.ts'

type State = Partial<ChartState> & { readonly path: string }

/** Creates a chart state with only the fields that a test needs. */
function chartState({ path, ...rest }: State): ChartState {
  const states = rest.states ?? []
  return {
    path,
    key: path.split('.').at(-1) ?? '',
    type: states.length > 0 ? 'compound' : 'atomic',
    states,
    transitions: [],
    entry: [],
    exit: [],
    invoke: [],
    tags: [],
    ...rest,
  }
}

/** A transition from an event to one target. */
const to = (event: string, target: string, guard?: string): ChartTransition => ({
  event,
  targets: [target],
  actions: [],
  ...(guard === undefined ? {} : { guard }),
})

/** A door that can be locked while closed. */
export const doorChart: MachineChart = {
  id: 'door',
  hash: 'd1',
  root: chartState({
    path: '',
    key: 'door',
    initial: 'open',
    states: [
      chartState({ path: 'open', transitions: [to('door.shut', 'shut')] }),
      chartState({
        path: 'shut',
        type: 'parallel',
        transitions: [to('door.open', 'open'), to('door.removed', 'gone')],
        states: [
          chartState({
            path: 'shut.lock',
            initial: 'free',
            states: [
              chartState({ path: 'shut.lock.free', transitions: [to('key.turned', 'shut.lock.locked')] }),
              chartState({
                path: 'shut.lock.locked',
                transitions: [
                  to('after hour', 'shut.lock.free'),
                  to('key.turned', 'shut.lock.free', 'isOwner'),
                ],
              }),
            ],
          }),
          chartState({
            path: 'shut.light',
            initial: 'dark',
            states: [
              chartState({ path: 'shut.light.dark', transitions: [to('lamp.lit', 'shut.light.lit')] }),
              chartState({ path: 'shut.light.lit', transitions: [to('lamp.out', 'shut.light.dark')] }),
            ],
          }),
        ],
      }),
      chartState({ path: 'gone', type: 'final' }),
    ],
  }),
}

/** An actor's entry; its parent is found by path. */
export function actorEntries(...specs: readonly (readonly [path: string, src: string])[]): ActorEntry[] {
  const paths = specs.map(([path]) => path)
  return specs.map(([path, src], index) => {
    const parent = paths.indexOf(path.slice(0, path.lastIndexOf('/')))
    return { line: 'actor', index, path, kind: 'machine', src, ...(parent === -1 ? {} : { parent }) }
  })
}

type View = Partial<Omit<StepRecord, 'event' | 'value'>> & {
  readonly actor: number
  readonly type: string
  /** The whole event, if the type is not enough. */
  readonly event?: StepRecord['event']
  readonly value?: StateValue
}

/** Views numbered from `first`. */
export const stepRecords = (specs: readonly View[], first = 0): StepRecord[] =>
  specs.map(({ type, ...rest }, at) => ({
    line: 'step',
    seq: first + at,
    t: (first + at) * 10,
    event: { type },
    cause: -1,
    status: 'active',
    changed: true,
    ...rest,
  }))

/** A source over arrays that a test may append to. */
export function traceSource(parts: {
  readonly actors: ActorEntry[]
  readonly steps: StepRecord[]
  readonly stimuli?: Stimulus[]
}): TraceSource {
  return {
    live: true,
    header: {
      line: 'header',
      format: 1,
      system: 'test',
      appVersion: '0',
      xstateVersion: '5',
      startedAt: '2026-01-01T00:00:00.000Z',
      input: {},
      machines: { door: doorChart },
      redaction: { policy: 'none' },
    },
    actors: parts.actors,
    stimuli: parts.stimuli ?? [],
    steps: parts.steps,
    damage: [],
    version: () => parts.steps.length,
    subscribe: () => () => undefined,
  }
}

/** The timeline of these views. */
export function timelineOf(actors: ActorEntry[], steps: StepRecord[]): Timeline {
  const feed = new LiveFeed(traceSource({ actors, steps }))
  feed.advance(Infinity)
  return feed.timeline
}
