// Repeats the stimuli of a trace in a running replay.
import { createEmptyActor } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, AnyEventObject } from 'xstate'
import {
  type Anchor,
  type KeyframeRecord,
  type Phase,
  type ReplayableTrace,
  sentEvent,
  type Stimulus,
} from '../../../trace/index.ts'
import type {
  ActorRecord,
  Armed,
  RawStimulus,
  Registry,
  TimerTable,
  TraceLog,
  Viewer,
} from '../../recording/index.ts'
import type { Relay } from '../../runtime/index.ts'
import { type Anchored, anchorKey, copy, groupAnchored } from './input.ts'
import type { RecordResolver, SetTimer, SetTimers } from './record-resolver.ts'

/** The call of an actor's code within which an event is sent. */
type Place = Omit<Anchor, 'in'> & { readonly in: ActorRecord }

type About = Omit<RawStimulus, 'seq' | 't' | 'kind'>

/** The parts of a replay. */
export interface RepeaterParts {
  readonly recorded: ReplayableTrace
  readonly keyframe: KeyframeRecord | undefined
  readonly resolver: RecordResolver
  readonly registry: Registry
  readonly viewer: Viewer
  readonly timers: TimerTable
  readonly log: () => TraceLog
  readonly root: () => Actor<AnyActorLogic>
  readonly relay: Relay
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

  constructor(parts: RepeaterParts) {
    this.#parts = parts
    this.#anchored = groupAnchored(parts.recorded)
    this.time = parts.recorded.stimuli[(parts.keyframe?.at ?? 0) - 1]?.t ?? 0
  }

  /** Whether any event was ever sent within this actor's code. */
  emits(known: ActorRecord): boolean {
    return this.#anchored.has(this.#parts.resolver.pathThen(known))
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
  leaves(source: AnyActorRef | undefined, receiver: unknown, event: AnyEventObject): void {
    if (!source) return
    const known = this.#parts.registry.of(source)
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
    const { registry, root, relay } = this.#parts
    if (kind === 'timer') return this.#fire(stimulus, anchor)
    if (kind === 'stop') {
      const raw = { to: registry.of(root()), more: anchor && { anchor } }
      return this.#during(stimulus, 'none', raw, () => void root().stop())
    }
    const to = this.#find(stimulus, stimulus.to)
    const from = sender === undefined || !to ? undefined : this.#findSender(stimulus, sender)
    if (!to?.ref || (sender !== undefined && !from?.ref)) return
    const why = this.#parts.resolver.refuses(stimulus, to, from)
    if (why !== undefined) return this.#parts.resolver.lost(stimulus, why)
    const { ref } = to
    const sent = copy(stimulus.event, path => registry.byPath(path)?.ref)
    const event = sentEvent(sent) as AnyEventObject
    this.#during(stimulus, origin, { to, from, event, more: anchor && { anchor } }, () =>
      relay(from?.ref, ref, event),
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
}

function aboutTimer({ source, target, ordinal, delay, event: { type } }: SetTimer, anchor?: Place): About {
  return { from: source, to: target, event: { type }, ordinal, delay, more: anchor && { anchor } }
}
