// Assembles a replay: names, steps, timers, its log, and the repeater.
import type { Actor, AnyActorLogic, AnyActorRef } from 'xstate'
import {
  type KeyframeRecord,
  policyOf,
  type Redactor,
  type ReplayableTrace,
  type StepRecord,
} from '../../../trace/index.ts'
import {
  createFeed,
  type Environment,
  schemasKept,
  systemCharts,
  withEnvironment,
} from '../../runtime/index.ts'
import {
  type ActorRecord,
  createPlainer,
  createRegistry,
  createTimerTable,
  isActor,
  type LiveStep,
  persistedOf,
  type PlainPart,
  plainStep,
  rawStep,
  type Registry,
  type TimerTable,
  TraceLog,
  Viewer,
} from '../../recording/index.ts'
import { ExactResolver, type RecordResolver } from './record-resolver.ts'
import { Repeater } from './repeater.ts'
import type { SentEvent } from '../playback/replay-types.ts'
import { ReplayedRoot } from './replayed-root.ts'
import type { RestoredTree } from './restored-tree.ts'
import { isAlike, type PathOf } from './alike.ts'

/** What is replayed, and how. */
export interface ReplayPlan {
  readonly recorded: ReplayableTrace
  readonly keyframe: KeyframeRecord | undefined
  readonly problems: string[]
  readonly resolver: RecordResolver | undefined
  /** Receives each step instead of the log. */
  readonly show: ((step: LiveStep) => void) | undefined
  readonly keepEnded: ((known: ActorRecord) => boolean) | undefined
  readonly root: () => Actor<AnyActorLogic>
  readonly onSend: ((sent: Omit<SentEvent, 'stimulus'>) => void) | undefined
  /** Called when machine code reads something from the platform that is not on the tape. */
  readonly onRead: ((name: string) => void) | undefined
}

/** The parts of a replay; `open` creates its log before the root is created. */
export class ReplayParts {
  tree: RestoredTree | undefined
  readonly resolver: RecordResolver
  readonly registry: Registry
  readonly viewer: Viewer
  readonly timers: TimerTable
  readonly repeater: Repeater
  readonly replayed: ReplayedRoot
  readonly env: Environment
  readonly redactor: Redactor
  readonly #recorded: ReplayableTrace
  readonly #plainPart: PlainPart
  #log: TraceLog | undefined

  constructor({ recorded, keyframe, problems, resolver, show, keepEnded, root, onSend, onRead }: ReplayPlan) {
    this.#recorded = recorded
    this.resolver = resolver ?? new ExactResolver(recorded, problems, keyframe)
    this.registry = createRegistry({
      keepEnded: keepEnded ?? (() => true),
      onActor: known => this.#appeared(known),
      restored: ref => this.#pathThen(ref),
      names: keyframe?.names ?? {},
    })
    const time = () => this.repeater.time
    this.timers = createTimerTable({ now: time })
    this.viewer = new Viewer(this.registry, time, show ?? (step => this.log.step(step)))
    this.viewer.muted = keyframe !== undefined
    const { registry, viewer, timers } = this
    this.repeater = new Repeater({
      recorded,
      keyframe,
      resolver: this.resolver,
      registry,
      viewer,
      timers,
      root,
      log: () => this.log,
      relay: (source, target, event) => this.replayed.relay?.(source, target, event),
      left: ({ path }, receiver, event) =>
        onSend?.({ from: path, to: registry.outside(receiver), event: this.redactor.value(event) }),
    })
    const { repeater } = this
    const pathOf = (ref: AnyActorRef) => this.#pathThen(ref)
    this.replayed = new ReplayedRoot({ registry, viewer, timers, repeater, pathOf })
    this.env = replayEnvironment(this.resolver, () => this.log, recorded.header.platform === true, onRead)
    this.redactor = createPlainer(registry, policyOf(recorded.header.redaction)).redactor
    this.#plainPart = asRecorded(recorded, this.pathOf, this.redactor)
  }

  /** The replay as a recording. */
  get log(): TraceLog {
    if (!this.#log) throw new Error('the replay has no log yet')
    return this.#log
  }

  /** Creates the log. */
  open(logic: AnyActorLogic): void {
    const { redactor } = this
    const header = {
      ...this.#recorded.header,
      machines: schemasKept(systemCharts(logic), this.#recorded.header.machines),
    }
    this.#log = new TraceLog({ header, redactor, feed: createFeed(), plainPart: this.#plainPart })
  }

  /** Returns the number of an actor in the log, or -1 if it is not in the log. */
  readonly indexOf = (known: ActorRecord): number => this.log.indexOf(known)

  /** Returns the path of an actor, and undefined for other objects. */
  readonly pathOf = (object: object): string | undefined =>
    isActor(object) ? this.registry.of(object).path : undefined

  /** Converts a step to its form in the log. */
  readonly plain = (step: LiveStep): StepRecord => plainStep(rawStep(step), this.indexOf, this.#plainPart)

  /** Returns the path of a restored actor. */
  #pathThen(ref: AnyActorRef): string | undefined {
    return this.tree?.entries.get(persistedOf(ref))?.path
  }

  #appeared(known: ActorRecord): void {
    const { muted } = this.viewer
    const { ref } = known
    const input = () =>
      this.redactor.value((ref as { readonly options?: { readonly input?: unknown } })?.options?.input)
    this.resolver.appeared(known, muted, input)
    if (!muted) this.log.actor(known)
  }
}

/** Returns the recorded form of a value that matches it, which is much cheaper than converting it again. */
function asRecorded(recorded: ReplayableTrace, pathOf: PathOf, redactor: Pick<Redactor, 'value'>): PlainPart {
  return (live, seq, part) => {
    const known = recorded.steps[seq]?.[part]
    return known !== undefined && isAlike(live, known, pathOf) ? known : redactor.value(live)
  }
}

/**
 * Reads the tape. A replay that may diverge also writes its own tape. What machine code reads from the platform
 * itself is reported if the recording did not tape it.
 */
function replayEnvironment(
  resolver: RecordResolver,
  log: () => TraceLog,
  isTaped: boolean,
  onRead: ((name: string) => void) | undefined,
): Environment {
  const read = (kind: string, real?: () => unknown) => {
    const value = resolver.read(kind, real && (() => withEnvironment(undefined, real)))
    if (resolver.isFree) log().tape({ line: 'tape', kind, value })
    return value
  }
  const reported = (name: string, real: () => unknown) => {
    onRead?.(name)
    return withEnvironment(undefined, real)
  }
  return {
    now: () => Number(read('now')),
    random: () => Number(read('random')),
    id: () => String(read('id')),
    ...(isTaped && { call: read }),
    ...(!isTaped && onRead && { call: reported }),
  }
}
