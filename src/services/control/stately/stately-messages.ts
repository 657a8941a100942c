// Converts a recording to Stately's inspection protocol. Secrets recognized after recording are removed too.
import {
  type ActorEntry,
  createRedactor,
  encodeValue,
  type Json,
  policyOf,
  type StepRecord,
  type TraceSource,
  type ChartState,
  type ChartTransition,
  type MachineChart,
} from '../../../trace/index.ts'

/** The version of @statelyai/inspect that these messages follow. */
const VERSION = '0.7.2'

/** A message posted to an inspector. */
export type StatelyMessage = { readonly type: string } & { readonly [key: string]: Json }

/** Sends each record of a trace once, including later ones. */
export class StatelyTeller {
  readonly #trace: TraceSource
  readonly #redact: <T>(value: T) => T
  readonly #began: number
  #actors = 0
  #steps = 0
  readonly #first: StepRecord | undefined

  constructor(trace: TraceSource) {
    this.#trace = trace
    this.#redact = createRedactor({ policy: policyOf(trace.header.redaction) }).value
    this.#began = Date.parse(trace.header.startedAt) || 0
    this.#first = trace.steps[0]
  }

  /** Whether the recording was replaced by another one. */
  get isOutdated(): boolean {
    const { steps } = this.#trace
    return steps.length < this.#steps || (this.#first !== undefined && steps[0] !== this.#first)
  }

  /** Returns messages for at most this many unsent steps. */
  *next(maxLength: number): Generator<StatelyMessage> {
    const { actors, steps } = this.#trace
    for (; this.#actors < actors.length; this.#actors += 1) {
      const entry = actors[this.#actors]
      if (entry) yield this.#actor(entry)
    }
    const end = Math.min(steps.length, this.#steps + maxLength)
    for (; this.#steps < end; this.#steps += 1) {
      const step = steps[this.#steps]
      if (step) yield* this.#step(step)
    }
  }

  #actor(entry: ActorEntry): StatelyMessage {
    const { actors, header } = this.#trace
    const chart = entry.kind === 'machine' ? header.machines[entry.src] : undefined
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    const parent = entry.parent === undefined ? undefined : actors[entry.parent]
    return {
      type: '@xstate.actor',
      ...this.#base(entry, 0),
      name,
      definition: chart ? definitionOf(chart) : JSON.stringify({ id: name }),
      ...(parent && { parentId: parent.path }),
      snapshot: { status: 'active' },
    }
  }

  *#step(step: StepRecord): Generator<StatelyMessage> {
    const { actors } = this.#trace
    const entry = actors[step.actor]
    if (!entry) return
    const event = this.#plain(step.event)
    const source = step.from === undefined ? undefined : actors[step.from]
    const base = this.#base(entry, step.t)
    yield { type: '@xstate.event', ...base, event, ...(source && { sourceId: source.path }) }
    const { status, value, context, output, error } = step
    yield {
      type: '@xstate.snapshot',
      ...base,
      event,
      snapshot: {
        status,
        ...(value !== undefined && { value: encodeValue(value) }),
        ...(context !== undefined && { context: this.#plain(context) }),
        ...(output !== undefined && { output: this.#plain(output) }),
        ...(error !== undefined && { error: this.#plain(error) }),
      },
    }
  }

  #base({ path }: ActorEntry, t: number) {
    const rootId = this.#trace.actors[0]?.path ?? path
    return {
      sessionId: path,
      rootId,
      _version: VERSION,
      createdAt: String(Math.round(this.#began + t)),
      id: null,
    }
  }

  #plain(value: unknown): Json {
    return encodeValue(this.#redact(value))
  }
}

type Config = { readonly [key: string]: Json }

/** Returns the config as JSON. */
function definitionOf(chart: MachineChart): string {
  return JSON.stringify({ id: chart.id, ...configOf(chart.root, chart.id) })
}

function configOf(state: ChartState, machine: string): Config {
  const { type, initial, history, states, entry, exit, invoke, tags, description } = state
  const targeted = state.transitions.map(one => [one, transition(one, machine)] as const)
  const those = (matches: (event: string) => boolean) => targeted.filter(([{ event }]) => matches(event))
  const plain = those(event => !/^(?:after |always$|done$|(?:done|error|snapshot) )/.test(event))
  const config: Record<string, Json> = {
    ...(type !== 'atomic' && type !== 'compound' && { type }),
    ...(initial !== undefined && { initial }),
    ...(history && { history }),
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(entry.length > 0 && { entry }),
    ...(exit.length > 0 && { exit }),
    ...(states.length > 0 && {
      states: Object.fromEntries(states.map(child => [child.key, configOf(child, machine)])),
    }),
    ...keyed('on', plain, event => event),
    ...keyed(
      'after',
      those(event => event.startsWith('after ')),
      event => event.slice('after '.length),
    ),
    ...listed(
      'always',
      those(event => event === 'always'),
    ),
    ...listed(
      'onDone',
      those(event => event === 'done'),
    ),
  }
  if (invoke.length === 0) return config
  const ends = (word: string, src: string) => those(event => event === `${word} ${src}`)
  return {
    ...config,
    invoke: invoke.map(({ id, src }) => ({
      id,
      src,
      ...listed('onDone', ends('done', src)),
      ...listed('onError', ends('error', src)),
      ...listed('onSnapshot', ends('snapshot', src)),
    })),
  }
}

type Targeted = readonly (readonly [ChartTransition, Config])[]

function keyed(name: string, transitions: Targeted, key: (event: string) => string): Config {
  const groups = Map.groupBy(transitions, ([{ event }]) => key(event))
  const entries = [...groups].map(([event, list]) => [event, list.map(([, config]) => config)] as const)
  return entries.length === 0 ? {} : { [name]: Object.fromEntries(entries) }
}

function listed(name: string, transitions: Targeted): Config {
  return transitions.length === 0 ? {} : { [name]: transitions.map(([, config]) => config) }
}

function transition(one: ChartTransition, machine: string): Config {
  const { targets, guard, actions, reenter, description } = one
  const names = targets.map(path => (path === '' ? `#${machine}` : `#${machine}.${path}`))
  const [onlyName] = names
  return {
    ...(onlyName !== undefined && { target: names.length === 1 ? onlyName : names }),
    ...(guard !== undefined && { guard: { type: guard } }),
    ...(actions.length > 0 && { actions: actions.map(type => ({ type })) }),
    ...(reenter && { reenter }),
    ...(description !== undefined && { description }),
  }
}
