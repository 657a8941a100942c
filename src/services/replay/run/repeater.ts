// Creates the root of a replay, with every actor of its system captured, and repeats the stimuli of a trace in it.
import {
  type Actor,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  createActor,
  createEmptyActor,
  type InspectionEvent,
  type Observer,
} from 'xstate'
import {
  idOfSegment,
  type Anchor,
  type KeyframeRecord,
  type Phase,
  type ReplayableTrace,
  sentEvent,
  type Stimulus,
} from '../../../trace/index.ts'
import {
  type ActorRecord,
  type Armed,
  capture,
  type CodeHook,
  inspectDirectly,
  isStimulus,
  type RawStimulus,
  type Registry,
  rename,
  stubLeaf,
  type TimerTable,
  type TraceLog,
  type Viewer,
} from '../../recording/index.ts'
import { type Relay, withRelay } from '../../runtime/index.ts'
import type { ObjectIdentity } from './object-identity.ts'
import type { RecordResolver, SetTimer, SetTimers } from './record-resolver.ts'
import { copy } from './restoring.ts'

/** The call of an actor's code within which an event is sent. */
type Place = Omit<Anchor, 'in'> & { readonly in: ActorRecord }

type About = Omit<RawStimulus, 'seq' | 't' | 'kind'>

/** The parts of a replay. */
interface RepeaterParts {
  readonly recorded: ReplayableTrace
  readonly keyframe: KeyframeRecord | undefined
  readonly resolver: RecordResolver
  readonly registry: Registry
  readonly viewer: Viewer
  readonly timers: TimerTable
  readonly identity: ObjectIdentity
  readonly log: () => TraceLog
  /** Returns the path of a restored actor. */
  readonly pathOf: (ref: AnyActorRef) => string | undefined
  /** Called with each event for another system; `event` is the live object. */
  readonly left: (from: ActorRecord, receiver: unknown, event: AnyEventObject) => void
}

/** Repeats stimuli. */
export class Repeater {
  /** Milliseconds since the recording began. */
  time = 0
  /** The active timers. */
  readonly timers: SetTimers = {
    all: () => this.#parts.timers.armed().map(timer => this.#known(timer)),
    get: ordinal => {
      const timer = this.#parts.timers.get(ordinal)
      return timer && this.#known(timer)
    },
  }
  readonly #parts: RepeaterParts
  readonly #anchored: Anchored
  readonly #hook: CodeHook & Rounds
  readonly #stubs = new WeakMap<AnyActorLogic, AnyActorLogic>()
  #root: Actor<AnyActorLogic> | undefined
  /** The system's own relay; set when the root is created. */
  #relay: Relay | undefined
  /** Whether a leaf's code is running, whose events have already been repeated. */
  #isRepeated = false

  constructor(parts: RepeaterParts) {
    const { registry, viewer, recorded, keyframe } = parts
    this.#parts = parts
    this.#anchored = groupAnchored(recorded)
    this.time = recorded.stimuli[(keyframe?.at ?? 0) - 1]?.t ?? 0
    this.#hook = {
      next: (self, phase) => (viewer.muted ? 0 : registry.of(self).counts[phase]++),
      emitting: (self, value) => viewer.addOutput(registry.of(self), { kind: 'emit', value }),
      around: (self, phase, n) => this.repeat(registry.of(self), phase, n),
      rerun: code => this.#rerun(code),
      isIdle: self => !this.#emits(registry.of(self)),
      leaf: logic => this.#stub(logic),
      observers: self => new RepeatedObservers(self, this.#hook),
    }
  }

  /** Creates the root without starting it; `look` receives every inspection event. */
  create(
    logic: AnyActorLogic,
    snapshot: object | undefined,
    look: (event: InspectionEvent) => void,
  ): Actor<AnyActorLogic> {
    const { viewer, timers, recorded, identity } = this.#parts
    const { input, systemId } = recorded.header
    const begin = snapshot
      ? { snapshot }
      : input === undefined
        ? {}
        : { input: identity.input(recorded.header) }
    const inspect = (event: InspectionEvent) => {
      look(event)
      if (event.type === '@xstate.actor') this.#captured(event.actorRef as AnyActorRef)
      viewer.inspect(event)
    }
    const options = {
      id: idOfSegment(recorded.actors[0]?.path ?? 'system'),
      ...(systemId !== undefined && { systemId }),
      ...begin,
      clock: timers.clock,
      inspect: (event: InspectionEvent) => {
        if (!this.#relay) inspectDirectly(event.actorRef as AnyActorRef, inspect, () => undefined)
        inspect(event)
      },
      logger: () => undefined,
    }
    return (this.#root = createActor(logic, options as object))
  }

  /** Repeats the events that were sent within the n-th call of an actor's code. */
  repeat(known: ActorRecord, phase: Phase, n: number): undefined {
    const { viewer, resolver } = this.#parts
    if (viewer.muted) return
    const groups = this.#anchored.get(resolver.pathThen(known))
    if (!groups) return
    const place = { phase, n, in: known }
    for (const stimulus of groups.get(anchorKey(place)) ?? []) {
      if (stimulus.threw) throw this.#thrown(stimulus, place)
      const isOwn = stimulus.anchor?.in === undefined && stimulus.kind === 'leaf'
      this.perform(stimulus, isOwn ? 'inside' : 'outside', place)
    }
  }

  #thrown(stimulus: Stimulus, place: Place): unknown {
    const { error } = copy(stimulus.threw) ?? {}
    this.#note(stimulus, { to: place.in, from: place.in, more: { anchor: place, threw: { error } } })
    return error
  }

  /** Intercepts an event for another system, and repeats what that system did when it received it. */
  #leaves(source: AnyActorRef | undefined, receiver: unknown, event: AnyEventObject): void {
    if (!source) return
    const { registry, viewer } = this.#parts
    const known = registry.of(source)
    viewer.addOutput(known, { kind: 'send', value: event })
    this.#parts.left(known, receiver, event)
    this.repeat(known, 'send', known.counts.send++)
  }

  /** Fires a timer that was not recorded. */
  fire(timer: SetTimer): void {
    const { log, viewer, timers } = this.#parts
    const seq = log().stimulus({ kind: 'timer', ...aboutTimer(timer) }, this.time)
    viewer.during(seq, 'outside', () => void timers.fire(timer.ordinal))
  }

  /** Repeats one stimulus. */
  perform(stimulus: Stimulus, origin: 'inside' | 'outside', anchor?: Place): void {
    const { kind, from: sender } = stimulus
    const { registry } = this.#parts
    if (kind === 'timer') return this.#fire(stimulus, anchor)
    if (kind === 'stop') {
      const root = this.#root
      if (!root) return
      const raw = { to: registry.of(root), more: anchor && { anchor } }
      return this.#during(stimulus, 'none', raw, () => void root.stop())
    }
    const to = this.#find(stimulus, stimulus.to)
    const from = sender === undefined || !to ? undefined : this.#findSender(stimulus, sender)
    if (!to?.ref || (sender !== undefined && !from?.ref)) return
    const why = this.#parts.resolver.refuses(stimulus, to, from)
    if (why !== undefined) return this.#parts.resolver.lost(stimulus, why)
    const { ref } = to
    const sent = copy(stimulus.event, path => registry.byPath(path)?.ref)
    this.#parts.identity.sending(stimulus, sent)
    const event = sentEvent(sent) as AnyEventObject
    this.#during(stimulus, origin, { to, from, event, more: anchor && { anchor } }, () =>
      this.#relay?.(from?.ref, ref, event),
    )
  }

  #fire(stimulus: Stimulus, anchor: Place | undefined): void {
    const timer = this.timers.get(this.#parts.resolver.timer(stimulus, this.timers) ?? -1)
    if (!timer) return
    const { ordinal } = timer
    this.#during(stimulus, 'outside', aboutTimer(timer, anchor), () => void this.#parts.timers.fire(ordinal))
  }

  #during(stimulus: Stimulus, origin: 'inside' | 'outside' | 'none', raw: About, run: () => void): void {
    this.#parts.viewer.during(this.#note(stimulus, raw), origin, run)
  }

  /**
   * Returns the stimulus's number in the replay: the recorded one or, if the replay is free, the next one.
   */
  #note(stimulus: Stimulus, raw: About): number {
    const { resolver, log } = this.#parts
    resolver.found(stimulus)
    if (!resolver.isFree) return stimulus.seq
    return log().stimulus({ ...raw, kind: stimulus.kind }, this.time)
  }

  #find(stimulus: Stimulus, index: number): ActorRecord | undefined {
    const { resolver, registry, recorded } = this.#parts
    const known = resolver.find(index, registry)
    if (known?.ref) return known
    const path = recorded.actors[index]?.path ?? `number ${index}`
    resolver.lost(stimulus, `no actor ${path} is running`)
    return undefined
  }

  /** An actor that ended before the keyframe but still sends events exists only by name. */
  #findSender(stimulus: Stimulus, index: number): ActorRecord | undefined {
    const { resolver, registry, recorded, keyframe } = this.#parts
    const entry = recorded.actors[index]
    if (keyframe && entry && !resolver.find(index, registry)?.ref) {
      const known = registry.byPath(entry.path)
      if (known) registry.embody(known, createEmptyActor())
      else registry.adopt(createEmptyActor(), entry)
    }
    return this.#find(stimulus, index)
  }

  #known({ source, target, ...timer }: Armed): SetTimer {
    const { registry } = this.#parts
    const by = registry.of(source)
    return { ...timer, source: by, target: registry.isOwn(target) ? registry.of(target) : by }
  }

  /** Whether any event was ever sent within this actor's code. */
  #emits(known: ActorRecord): boolean {
    return this.#anchored.has(this.#parts.resolver.pathThen(known))
  }

  /** Actors with the same logic share one stub. */
  #stub(logic: AnyActorLogic): AnyActorLogic {
    const known = this.#stubs.get(logic)
    if (known) return known
    const stub = stubLeaf(logic, this.#hook)
    this.#stubs.set(logic, stub)
    return stub
  }

  #captured(ref: AnyActorRef): void {
    const { registry, viewer, timers, pathOf } = this.#parts
    if (!this.#relay) {
      timers.attach(ref)
      this.#relay = this.#takeOverRelay(ref)
    }
    registry.of(ref)
    if (viewer.muted) rename(ref, pathOf(ref))
    capture(ref, this.#hook)
  }

  /** Events without a sender come from code that also runs in a replay. No event leaves the system. */
  #takeOverRelay(root: AnyActorRef): Relay {
    const { viewer, registry } = this.#parts
    const system = withRelay(root.system)
    const relay = system._relay
    system._relay = (source, target, event) => {
      if (viewer.muted || (this.#isRepeated && isStimulus(source && registry.of(source), event))) return
      if (registry.isOwn(target)) relay(source, target, event)
      else this.#leaves(source, target, event)
    }
    return relay
  }

  #rerun<T>(code: () => T): T {
    const before = this.#isRepeated
    this.#isRepeated = true
    try {
      return code()
    } finally {
      this.#isRepeated = before
    }
  }
}

function aboutTimer({ source, target, ordinal, delay, event: { type } }: SetTimer, anchor?: Place): About {
  return { from: source, to: target, event: { type }, ordinal, delay, more: anchor && { anchor } }
}

/** How the rounds of an actor are repeated. */
interface Rounds extends Pick<CodeHook, 'around' | 'next'> {
  /** Whether no code of this actor ever had an effect. */
  readonly isIdle: (self: AnyActorRef) => boolean
}

const nothing = () => undefined

/** For actors whose observers had no effect. */
const IDLE: readonly Observer<unknown>[] = [{ next: nothing, error: nothing, complete: nothing }]

class RepeatedObservers extends Set<Observer<unknown>> {
  readonly #self: AnyActorRef
  readonly #rounds: Rounds

  constructor(self: AnyActorRef, rounds: Rounds) {
    super()
    this.#self = self
    this.#rounds = rounds
  }

  /** Never empty, because XState would otherwise report errors as uncaught. */
  override get size(): number {
    return super.size + 1
  }

  /** XState iterates over the observers once per notification. */
  override [Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#rounds.next(this.#self, 'snapshot')
    if (super.size === 0 && this.#rounds.isIdle(this.#self)) return IDLE.values()
    return this.#round(n)
  }

  *#round(n: number): SetIterator<Observer<unknown>> {
    yield* super[Symbol.iterator]()
    const repeat = () => this.#rounds.around(this.#self, 'snapshot', n, nothing)
    yield { next: repeat, error: repeat, complete: repeat }
  }
}

/** Anchored stimuli by the path of the actor whose code was running, then by phase and number. */
type Anchored = ReadonlyMap<string, ReadonlyMap<string, readonly Stimulus[]>>

/** Groups once, so that code that sent nothing costs almost nothing. */
function groupAnchored({ stimuli, actors }: ReplayableTrace): Anchored {
  const places = new Map<string, Map<string, Stimulus[]>>()
  for (const stimulus of stimuli) {
    const { anchor, from } = stimulus
    if (!anchor) continue
    const path = actors[anchor.in ?? from ?? -1]?.path ?? ''
    const groups = places.get(path) ?? new Map<string, Stimulus[]>()
    places.set(path, groups)
    const key = anchorKey(anchor)
    const group = groups.get(key)
    if (group) group.push(stimulus)
    else groups.set(key, [stimulus])
  }
  return places
}

/** Key of a call of an actor's code. */
function anchorKey({ phase, n }: Pick<Anchor, 'phase' | 'n'>): string {
  return `${phase}|${n}`
}
