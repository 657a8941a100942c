// Compares the steps of a replay with the recorded ones, as far as the record is sound.
import { LOST } from '../../trace/collect.ts'
import { describeDamage } from '../../trace/describe-damage.ts'
import { comparable, createRollingHash } from '../../trace/encode.ts'
import type { ReplayableTrace, Stimulus, ViewRecord } from '../../trace/format.ts'
import { isSameView } from './alike.ts'
import type { KeyframeDifferences } from './lean-keyframes.ts'

/** The part of a trace that can be replayed. */
export interface SoundPart {
  readonly stimuli: readonly Stimulus[]
  /** Views after these are not compared. */
  readonly views: number
  /** Why the rest is left out; absent when all of it is sound. */
  readonly reason?: string
}

/** What can be replayed of a damaged file: all whole steps before the first loss. */
export function soundPart(trace: ReplayableTrace): SoundPart {
  const complete = trace.live || trace.end !== undefined
  if (complete && trace.damage.length === 0) return { stimuli: trace.stimuli, views: trace.views.length }
  const lostAt = trace.stimuli.findIndex(stimulus => isLost(stimulus.event))
  const foundAt = Math.min(...trace.damage.map(({ at }) => at ?? Number.POSITIVE_INFINITY))
  const lostView = trace.views.findIndex(view => isLost(view.event))
  let last = Math.min(lostAt >= 0 ? lostAt : trace.stimuli.length, foundAt)
  // The last step before the loss may be missing some of what came with it.
  do last -= 1
  while (last > 0 && trace.stimuli[last]?.anchor)
  // Damage found before the first stimulus makes the start unsound, too.
  const end = trace.stimuli[last]?.seq ?? (foundAt === 0 ? -1 : 0)
  const firstAfter = trace.views.findIndex(view => view.cause >= end)
  const ends = [firstAfter, lostView].filter(at => at >= 0)
  const views = Math.min(trace.views.length, ...ends)
  const reason = trace.damage.map(describeDamage).join('; ')
  return { stimuli: trace.stimuli.slice(0, Math.max(0, last)), views, reason }
}

function isLost(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === LOST
}

/** The first thing that was not as recorded. */
export interface Wrong {
  /** Index of the view, or how many views there were when it was noticed. */
  readonly index: number
  readonly expected?: ViewRecord
  readonly got?: ViewRecord
  readonly problem?: string
  /** Number of the stimulus with which the problem came. */
  readonly stimulus?: number
  /** Where keyframes were compared: stimuli between which the difference came about, and what differs then. */
  readonly between?: readonly [from: number, to: number]
  readonly differences?: KeyframeDifferences
}

/** A comparison that goes along with a replay. */
export class Comparison {
  /** How many views were compared and found equal. */
  compared = 0
  readonly #recorded: ReplayableTrace
  readonly #replayed: ReplayableTrace
  readonly #sound: SoundPart
  /** In a file without views only the hashes can be compared. */
  readonly #byHash: boolean
  readonly #rolling = createRollingHash()
  #hashAt = 0

  constructor(recorded: ReplayableTrace, replayed: ReplayableTrace, sound: SoundPart) {
    this.#recorded = recorded
    this.#replayed = replayed
    this.#sound = sound
    this.#byHash = recorded.views.length === 0 && recorded.hashes.length > 0
  }

  /** Compares what came since the last call; answers with the first difference, or the first problem. */
  next(problems: readonly string[]): Wrong | undefined {
    const { views } = this.#replayed
    const { views: known, reason } = this.#sound
    const end = this.#byHash || reason === undefined ? views.length : Math.min(views.length, known)
    for (let view = views[this.compared]; view && this.compared < end; view = views[this.compared]) {
      const wrong = this.#byHash ? this.#compareHash(view) : this.#compare(view)
      if (wrong) return wrong
      this.compared += 1
    }
    const problem = problems[0]
    return problem === undefined ? undefined : { index: this.compared, problem }
  }

  /** At the end: whatever was recorded and did not come. */
  rest(): Wrong | undefined {
    const index = this.compared
    const expected = this.#recorded.views[index]
    if (expected && index < this.#sound.views) return { index, expected }
    const count = this.#recorded.end?.views
    if (!this.#byHash || count === undefined || count === index) return undefined
    return { index, problem: `${count} steps were recorded, and ${index} came` }
  }

  #compare(got: ViewRecord): Wrong | undefined {
    const index = this.compared
    const expected = this.#recorded.views[index]
    if (!expected) return { index, got }
    const sameActor = this.#recorded.actors[expected.actor]?.path === this.#replayed.actors[got.actor]?.path
    const isSame = isSameView(got, expected) || comparable(expected) === comparable(got)
    return sameActor && isSame ? undefined : { index, expected, got }
  }

  #compareHash(got: ViewRecord): Wrong | undefined {
    const index = this.compared
    this.#rolling.add(got)
    const record = this.#recorded.hashes[this.#hashAt]
    if (record?.after !== index + 1) return undefined
    this.#hashAt += 1
    const { actors } = record
    const actor = Object.keys(actors).find(key => this.#rolling.of(Number(key)) !== actors[key])
    if (actor === undefined) return undefined
    const path = this.#replayed.actors[Number(actor)]?.path
    return { index, got, problem: `the steps of ${path} up to here are not those recorded` }
  }
}
