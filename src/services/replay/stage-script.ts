// What a stage is told beforehand: who there is, and what effects say in the midst of steps, as a trace.
import type { AnyEventObject } from 'xstate'
import type { ActorEntry, Phase, ReplayableTrace, Stimulus, TapeEntry } from '../../trace/format.ts'
import { REDACTION_POLICY } from '../../trace/redact.ts'
import { XSTATE_VERSION } from '../recording/xstate-version.ts'

/** What an effect says: a promise or an observable in these forms, a callback by the event that it sends back. */
export type Answer =
  | { readonly resolves: unknown }
  | { readonly rejects: unknown }
  | { readonly next: unknown }
  | { readonly fails: unknown }
  | 'completes'
  | AnyEventObject

/** What an effect says in the midst of a step: as it starts, or as it takes its n-th event. */
export interface AtOnce {
  /** Path of the effect, e.g. `client/session/readSession`. */
  readonly in: string
  /** What runs then, and the how manyeth; its start unless told. */
  readonly when?: readonly [Phase, number]
  readonly says: Answer
  /** Path of the actor that is told; the effect's parent unless told. */
  readonly to?: string
  /** Path of the effect that says it, when it is another one than runs. */
  readonly from?: string
}

/** What is known before the system starts. */
export interface StageScript {
  readonly input?: unknown
  readonly atOnce?: readonly AtOnce[]
  /** What the machines read of `env`, in order. */
  readonly readings?: readonly (readonly [kind: TapeEntry['kind'], value: number | string])[]
}

/** The actors that a stage speaks of, by number, and the numbers of what happens. */
export class StageCast {
  readonly actors: ActorEntry[] = []
  readonly root: string
  #stimuli = 0

  constructor(root: string) {
    this.root = root
    this.number(root)
  }

  number(path: string): number {
    const known = this.actors.findIndex(entry => entry.path === path)
    if (known >= 0) return known
    return this.actors.push({ line: 'actor', index: this.actors.length, path, kind: 'other', src: '' }) - 1
  }

  nextStimulus(): number {
    return this.#stimuli++
  }
}

/** A trace of what will be said in the midst of steps; the rest is told as the test goes on. */
export function stageScript(
  cast: StageCast,
  { input, atOnce = [], readings = [] }: StageScript,
): ReplayableTrace {
  return {
    live: true,
    header: {
      line: 'header',
      format: 2,
      system: 'stage',
      appVersion: '',
      xstateVersion: XSTATE_VERSION,
      startedAt: new Date(0).toISOString(),
      input,
      machines: {},
      redaction: { policy: REDACTION_POLICY },
    },
    actors: cast.actors,
    stimuli: atOnce.map(one => stimulusOf(cast, one)),
    views: [],
    damage: [],
    tape: readings.map(([kind, value]) => ({ line: 'tape', kind, value })),
    bookmarks: [],
    hashes: [],
    keyframes: [],
    version: () => 0,
    subscribe: () => () => undefined,
  }
}

function stimulusOf(
  cast: StageCast,
  { in: place, when: [phase, n] = ['start', 0], says, to, from }: AtOnce,
): Stimulus {
  const sender = from ?? place
  const anchor = { phase, n, in: cast.number(place) }
  return {
    line: 'stimulus',
    seq: cast.nextStimulus(),
    t: 0,
    kind: 'leaf',
    from: cast.number(sender),
    to: cast.number(to ?? targetOf(sender, says)),
    event: toEvent(says),
    anchor,
  }
}

/** XState settles promises and observables by events that they are sent themselves. */
export function toEvent(answer: Answer): AnyEventObject {
  if (answer === 'completes') return { type: 'xstate.observable.complete' }
  if ('type' in answer) return answer
  if ('resolves' in answer) return { type: 'xstate.promise.resolve', data: answer.resolves }
  if ('rejects' in answer) return { type: 'xstate.promise.reject', data: answer.rejects }
  if ('next' in answer) return { type: 'xstate.observable.next', data: answer.next }
  return { type: 'xstate.observable.error', data: answer['fails'] }
}

/** Callbacks tell their parent. */
export function targetOf(path: string, answer: Answer): string {
  const isCallback = answer !== 'completes' && 'type' in answer
  return isCallback ? path.slice(0, path.lastIndexOf('/')) : path
}
