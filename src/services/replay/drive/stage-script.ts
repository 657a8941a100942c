// Converts a stage's script (its actors and the immediate responses of effects) to a trace.
import type { AnyEventObject } from 'xstate'
import {
  type ActorEntry,
  type Phase,
  REDACTION_POLICY,
  type ReplayableTrace,
  type Stimulus,
} from '../../../trace/index.ts'
import { XSTATE_VERSION } from '../../recording/index.ts'

/** Result of an effect: these forms for promises and observables, the event to send for callbacks. */
export type Answer =
  | { readonly resolves: unknown }
  | { readonly rejects: unknown }
  | { readonly next: unknown }
  | { readonly fails: unknown }
  | 'completes'
  | AnyEventObject

/** A response that an effect sends immediately: when it starts, or when it receives its n-th event. */
export interface AtOnce {
  /** Path of the effect, e.g. `client/session/readSession`. */
  readonly in: string
  /** The phase and the number of the call. Defaults to the start. */
  readonly when?: readonly [Phase, number]
  readonly answer: Answer
  /** Path of the receiver. Defaults to the effect's parent. */
  readonly to?: string
  /** Path of the sending effect, if it is not the running one. */
  readonly from?: string
}

/** What is known before the system starts. */
export interface StageScript {
  readonly input?: unknown
  readonly atOnce?: readonly AtOnce[]
  /** Values that machines read from `env`, and from the platform such as `Math.random()`, in order. */
  readonly readings?: readonly (readonly [kind: string, value: unknown])[]
}

/** Numbers the actors and stimuli of a stage. */
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

const OF_ENV: ReadonlySet<string> = new Set(['now', 'random', 'id'])

/** Builds a trace of the immediate responses; other stimuli are added as the test runs. */
export function stageScript(
  cast: StageCast,
  { input, atOnce = [], readings = [] }: StageScript,
): ReplayableTrace {
  return {
    live: true,
    header: {
      line: 'header',
      format: 1,
      system: 'stage',
      appVersion: '',
      xstateVersion: XSTATE_VERSION,
      startedAt: new Date(0).toISOString(),
      input,
      machines: {},
      redaction: { policy: REDACTION_POLICY },
      ...(readings.some(([kind]) => !OF_ENV.has(kind)) && { platform: true }),
    },
    actors: cast.actors,
    stimuli: atOnce.map(one => stimulusOf(cast, one)),
    steps: [],
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
  { in: place, when: [phase, n] = ['start', 0], answer, to, from }: AtOnce,
): Stimulus {
  const sender = from ?? place
  const anchor = { phase, n, in: cast.number(place) }
  return {
    line: 'stimulus',
    seq: cast.nextStimulus(),
    t: 0,
    kind: 'leaf',
    from: cast.number(sender),
    to: cast.number(to ?? targetOf(sender, answer)),
    event: toEvent(answer),
    anchor,
  }
}

/** XState settles promises and observables with events that they send to themselves. */
export function toEvent(answer: Answer): AnyEventObject {
  if (answer === 'completes') return { type: 'xstate.observable.complete' }
  if ('type' in answer) return answer
  if ('resolves' in answer) return { type: 'xstate.promise.resolve', data: answer.resolves }
  if ('rejects' in answer) return { type: 'xstate.promise.reject', data: answer.rejects }
  if ('next' in answer) return { type: 'xstate.observable.next', data: answer.next }
  return { type: 'xstate.observable.error', data: answer['fails'] }
}

/** Callbacks send to their parent. */
export function targetOf(path: string, answer: Answer): string {
  const isCallback = answer !== 'completes' && 'type' in answer
  return isCallback ? path.slice(0, path.lastIndexOf('/')) : path
}
