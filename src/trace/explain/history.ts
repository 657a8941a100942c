// The past of actors up to a moment: their last steps, the step that entered a state, and what each step did.
import { activeNodePaths, chartOf, takenTransitions } from '../charts/taken-transitions.ts'
import { type NamedTransition, sourceOfName, statesOf } from '../charts/chart-states.ts'
import type { ChartState, MachineChart } from '../format/chart.ts'
import { type ActorEntry, LOST, type StateValue, type StepRecord } from '../format/records.ts'
import type { StepRef } from './answer.ts'
import type { StepSource } from './step-source.ts'
import { isEqual } from '../equal.ts'
import { countUpToNumber } from '../timeline/actor-tracks.ts'
import { leafPaths } from '../timeline/state-value.ts'

const statesByChart = new WeakMap<MachineChart, ReadonlyMap<string, ChartState>>()

/** A source, and the moment at which the question is asked. */
export class History {
  readonly source: StepSource
  /** Number of the last step that counts. */
  readonly at: number

  constructor(source: StepSource, at = source.size - 1) {
    this.source = source
    this.at = Math.min(at, source.size - 1)
  }

  step(seq: number | undefined): StepRecord | undefined {
    const step = seq === undefined || seq < 0 ? undefined : this.source.step(seq)
    return step?.event.type === LOST ? undefined : step
  }

  /** Time of the moment, in milliseconds since the recording started. */
  get now(): number {
    return this.source.step(this.at)?.t ?? 0
  }

  entryOf(actor: number): ActorEntry | undefined {
    return this.source.actors[actor]
  }

  path({ actor }: Pick<StepRecord, 'actor'>): string {
    return this.entryOf(actor)?.path ?? ''
  }

  refOf(step: StepRecord): StepRef {
    return { step: step.seq, actor: this.path(step), event: step.event.type, t: step.t }
  }

  /** Name of the actor's logic. */
  src({ actor }: Pick<StepRecord, 'actor'>): string {
    return this.entryOf(actor)?.src ?? ''
  }

  /** Index of the last actor with this path, or -1. */
  actorAt(path: string): number {
    return this.source.actors.findLast(entry => entry.path === path)?.index ?? -1
  }

  /** The actor's last step at or before a step. */
  latest(actor: number, seq = this.at): StepRecord | undefined {
    const numbers = this.source.stepsOf(actor)
    return this.step(numbers[countUpToNumber(numbers, seq) - 1])
  }

  before({ actor, seq }: StepRecord): StepRecord | undefined {
    return this.latest(actor, seq - 1)
  }

  /** The step during which the event was sent. That of a stop may not be recorded: it is the parent's latest. */
  sender(step: StepRecord): StepRecord | undefined {
    const stopper = stopperOf(step)
    const later = () => (stopper === undefined ? undefined : this.#stopOf(stopper, step.seq, step.cause))
    return this.earlierSender(step) ?? later()
  }

  /** The same, unless the sender's step follows. */
  earlierSender(step: StepRecord): StepRecord | undefined {
    if (step.by !== undefined) return this.step(step.by)
    const stopper = stopperOf(step)
    const before = stopper === undefined ? undefined : this.latest(stopper, step.seq - 1)
    return before?.cause === step.cause ? before : undefined
  }

  /** The stop of a parent, which follows those of its children. */
  #stopOf(actor: number, after: number, cause: number): StepRecord | undefined {
    for (let seq = after + 1; ; seq++) {
      const step = this.source.step(seq)
      if (!step || step.cause !== cause) return undefined
      if (step.actor === actor && step.event.type === 'xstate.stop') return step
    }
  }

  /** The actor's latest step that passes the test, up to and including `seq`. */
  find(actor: number, test: (step: StepRecord) => boolean, seq = this.at): StepRecord | undefined {
    const numbers = this.source.stepsOf(actor)
    for (let at = countUpToNumber(numbers, seq) - 1; at >= 0; at--) {
      const step = this.step(numbers[at])
      if (!step) return undefined
      if (test(step)) return step
    }
    return undefined
  }

  /** The step that started it, unless the recording begins later. */
  startOf(actor: number): StepRecord | undefined {
    const first = this.step(this.source.stepsOf(actor)[0])
    return first && isStart(first) ? first : undefined
  }

  /**
   * The step in which a state became active that is active after `step`; undefined if it was active before the
   * recording's first step of the actor.
   */
  entered(step: StepRecord, isIn: (value: StateValue | undefined) => boolean): StepRecord | undefined {
    let entry = step
    let { value } = step
    const other = this.find(
      step.actor,
      one => {
        if ((one.value !== value && !isIn(one.value)) || this.#reenters(entry)) return true
        ;[entry, value] = [one, one.value]
        return false
      },
      step.seq - 1,
    )
    return other || isStart(entry) ? entry : undefined
  }

  /** The step in which the actor entered its present state. */
  enteredState(step: StepRecord): StepRecord | undefined {
    const state = step.value
    if (leafPaths(state).length === 0) return this.startOf(step.actor)
    return this.entered(step, value => value === state || isEqual(value, state))
  }

  /** Whether a transition exits and enters the whole state again. */
  #reenters(step: StepRecord): boolean {
    return this.taken(step).some(({ reenter }) => reenter === true)
  }

  chart(step: StepRecord): MachineChart | undefined {
    const { header, actors } = this.source
    return chartOf({ header, actors, steps: [] }, step)
  }

  state(step: StepRecord, path: string): ChartState | undefined {
    return this.states(step).get(path)
  }

  /** The states of its machine, by path. */
  states(step: StepRecord): ReadonlyMap<string, ChartState> {
    const chart = this.chart(step)
    if (!chart) return new Map()
    const states = statesByChart.get(chart) ?? statesOf(chart)
    statesByChart.set(chart, states)
    return states
  }

  /** The transitions that a step took, with their guards. */
  taken(step: StepRecord): readonly NamedTransition[] {
    if (step.via) return step.via.flatMap(name => this.#named(step, name))
    if (!step.changed || isStart(step)) return []
    const before = this.before(step)
    const { header, actors } = this.source
    const trace = { header, actors, steps: before ? [before] : [] }
    return takenTransitions(trace, { ...step, seq: 1 }, false)
  }

  #named(step: StepRecord, name: string): readonly NamedTransition[] {
    const path = sourceOfName(name)
    const transition = this.state(step, path)?.transitions[Number(name.slice(path.length + 1))]
    return transition ? [{ machine: this.src(step), name, ...transition }] : []
  }

  /** Path of the state that the event's transition left, or that handled it; empty for the machine itself. */
  leftState(step: StepRecord): string | undefined {
    const [first] = this.taken(step)
    return first && sourceOfName(first.name)
  }

  /** Whether its actor is a machine. */
  isMachine(actor: number | undefined): boolean {
    return actor !== undefined && this.entryOf(actor)?.kind === 'machine'
  }

  /** Whether a leaf, such as a promise or a callback, sent it to its parent. */
  isFromLeaf({ from, actor, event }: StepRecord): boolean {
    const kind = from === undefined ? undefined : this.entryOf(from)?.kind
    return from !== actor && kind !== undefined && kind !== 'machine' && !event.type.startsWith('xstate.')
  }

  /** Whether a timer caused it: an `after`, or a delayed event. */
  isTimer({ event, by, cause }: StepRecord): boolean {
    if (event.type.startsWith('xstate.after.')) return true
    return by === undefined && this.source.stimulus(cause)?.kind === 'timer'
  }

  /** Whether it came from outside the system. */
  isExternal(step: StepRecord): boolean {
    const { from, by, event } = step
    if (from !== undefined || by !== undefined || isStart(step)) return false
    return event.type === 'xstate.stop' || !event.type.startsWith('xstate.')
  }
}

/** The actor that stopped another one, if the step in which it did so is not recorded. */
const stopperOf = ({ by, from, actor, event }: StepRecord): number | undefined =>
  by === undefined && event.type === 'xstate.stop' && from !== actor ? from : undefined

export const isStart = ({ event }: StepRecord): boolean =>
  event.type === 'xstate.init' || event.type === '@xstate.init'

export const isIn =
  (path: string) =>
  (value: StateValue | undefined): boolean =>
    activeNodePaths(value).includes(path)
