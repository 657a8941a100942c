// One replay: runs the same logic without its effects, and repeats the recorded stimuli step by step.
import type { Actor, AnyActorLogic, InspectionEvent } from 'xstate'
import type { KeyframeRecord, ReplayableTrace, Stimulus } from '../../../trace/index.ts'
import { type ComposeSystem, tapePlatform, withEnvironment } from '../../runtime/index.ts'
import { type ActorRecord, type LiveStep, takeKeyframe } from '../../recording/index.ts'
import { copy } from './input.ts'
import { type LiveActor, liveActors } from './live-actors.ts'
import type { RecordResolver, SetTimer, SetTimers } from './record-resolver.ts'
import { ReplayParts } from './replay-parts.ts'
import type { SentEvent } from '../playback/replay-types.ts'
import { originOf, restore } from './restoring.ts'
import { restoredTree } from './restored-tree.ts'
import type { ComparedSteps } from '../verify/step-comparer.ts'

/** Options of `ReplayRun`. */
export interface ReplayRunOptions {
  /** One of the trace's keyframes to begin at, instead of the beginning. */
  readonly from?: KeyframeRecord | undefined
  /** Finds the actors and timers of records. By default, expects them exactly as recorded. */
  readonly resolver?: RecordResolver
  /** Receives every inspection event, and each actor before it starts. */
  readonly inspect?: (event: InspectionEvent) => void
  /** Receives each step when its stimulus is processed. The run's own trace then has no steps. */
  readonly show?: (step: LiveStep) => void
  /** Called for each event sent to another system. These events are not delivered. */
  readonly onSend?: ((sent: SentEvent) => void) | undefined
  /** Called when machine code reads something from the platform that is not on the tape. */
  readonly onRead?: ((name: string) => void) | undefined
  /** Whether an ended actor is still needed. By default all are kept. */
  readonly keepEnded?: (known: ActorRecord) => boolean
}

/**
 * A replay in progress: call `start`, then `step` for each stimulus of the trace (from the keyframe on), in
 * order.
 */
export class ReplayRun {
  /**
   * What could not be repeated as recorded, as sentences. A problem is a divergence even if the steps match.
   */
  readonly problems: string[] = []
  readonly actor: Actor<AnyActorLogic>
  /** `seq` of the first stimulus and of the first step of this replay. */
  readonly first: { readonly stimulus: number; readonly step: number }
  readonly #recorded: ReplayableTrace
  readonly #keyframe: KeyframeRecord | undefined
  readonly #parts: ReplayParts
  /** Number of the stimulus that is being repeated. */
  #at: number

  /** Creates the system. A trace in memory is not modified by the replay. */
  constructor(
    recorded: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    options: ReplayRunOptions = {},
  ) {
    const { from, resolver, show, keepEnded, inspect, onSend, onRead } = options
    const keyframe = copy(from ?? originOf(recorded))
    const { problems } = this
    const { at = 0, steps = 0 } = keyframe ?? {}
    this.first = { stimulus: at, step: steps }
    this.#at = at - 1
    this.#recorded = recorded
    this.#keyframe = keyframe
    const root = () => this.actor
    const sent = onSend && ((event: Omit<SentEvent, 'stimulus'>) => onSend({ stimulus: this.#at, ...event }))
    const parts = new ReplayParts({
      recorded,
      keyframe,
      problems,
      resolver,
      show,
      keepEnded,
      root,
      onSend: sent,
      onRead,
    })
    const { env, replayed } = parts
    this.#parts = parts
    const logic = typeof system === 'function' ? system({ env }) : system
    const tree = keyframe && restoredTree(keyframe, recorded.actors, logic)
    parts.tree = tree
    for (const name of tree?.missing ?? []) problems.push(`no logic named ${name} is available`)
    parts.open(logic)
    tapePlatform()
    this.actor = withEnvironment(env, () =>
      replayed.create(logic, recorded, tree?.snapshot, event => inspect?.(event)),
    )
  }

  /** The active timers. */
  get timers(): SetTimers {
    return this.#parts.repeater.timers
  }

  /** The replayed steps as a recording. */
  get trace(): ReplayableTrace {
    return this.#parts.log.trace
  }

  /** For comparers that read live steps. */
  get comparedSteps(): ComparedSteps {
    return this.#parts
  }

  /** Starts the system, or restores it from the keyframe. */
  start(): void {
    const { registry, viewer, repeater } = this.#parts
    this.#settled(() => {
      if (this.#keyframe) return this.#restore(this.#keyframe)
      const root = registry.of(this.actor)
      viewer.during(-1, 'none', () => repeater.repeat(root, 'start', 1))
      viewer.during(-1, 'none', () => void this.actor.start())
    })
  }

  /** Repeats one stimulus. Anchored stimuli are skipped, since they are repeated within their step. */
  step(stimulus: Stimulus): void {
    const { repeater } = this.#parts
    repeater.time = stimulus.t
    this.#at = stimulus.seq
    if (!stimulus.anchor) this.#settled(() => repeater.perform(stimulus, 'outside'))
  }

  /** Fires a timer that was not recorded. */
  fire(timer: SetTimer, t: number): void {
    const { repeater } = this.#parts
    repeater.time = t
    this.#settled(() => repeater.fire(timer))
  }

  /** Every running actor, in order of creation, between two steps. */
  state(): LiveActor[] {
    const places = new Map(this.trace.actors.map(({ path }, at) => [path, at]))
    const placeOf = ({ path }: LiveActor) => places.get(path) ?? places.size
    const { registry, redactor } = this.#parts
    return liveActors(registry, redactor.value).toSorted((a, b) => placeOf(a) - placeOf(b))
  }

  /**
   * Takes a keyframe between two steps. Returns undefined if it could not be restored, unless it is only
   * compared. `at` is the number of the next stimulus.
   */
  keyframe(at: number, toCompare = false): KeyframeRecord | undefined {
    const { registry, timers, log, resolver, redactor } = this.#parts
    const subject = { root: this.actor, registry, timers, machines: this.trace.header.machines }
    let taken: KeyframeRecord | undefined
    log.keyframe((place, indexOf) => {
      taken = takeKeyframe(subject, { ...place, at, tape: resolver.readings }, indexOf)
      return taken
    })
    return taken && (toCompare || taken.unreachable.length === 0) ? redactor.value(taken) : undefined
  }

  #settled(fn: () => void): void {
    const { env, viewer, registry, log } = this.#parts
    tapePlatform()
    withEnvironment(env, fn)
    viewer.settle(registry.of(this.actor))
    log.settle()
  }

  #restore(keyframe: KeyframeRecord): void {
    const { registry, timers, resolver, viewer } = this.#parts
    const known = restore(keyframe, this.#recorded.actors, {
      root: this.actor,
      registry,
      timers,
      find: index => resolver.find(index, registry)?.ref,
    })
    viewer.muted = false
    this.#present(known, keyframe)
  }

  /**
   * A keyframe at the beginning of a recording shows the state of its actors; one inside a recording shows
   * nothing.
   */
  #present(known: readonly ActorRecord[], keyframe: KeyframeRecord): void {
    const { log, viewer, resolver } = this.#parts
    viewer.next = keyframe.steps
    log.continue(keyframe)
    for (const entry of known) log.actor(entry)
    const [origin] = this.#recorded.keyframes
    // A replay that may diverge is a separate recording and begins like the original.
    if (resolver.isFree && origin) log.keyframe(() => origin)
    const living = known.filter(entry => entry.ref)
    if (keyframe.at === 0 && keyframe.steps === 0) viewer.present(living)
    else viewer.remember(living)
  }
}
