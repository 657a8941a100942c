// Brings the records of a trace into the order of happening, and makes lines of them.
import { notesOf } from './bookmarks.ts'
import { describeDamage } from './describe-damage.ts'
import type { ReplayableTrace, Stimulus, TapeEntry, ViewRecord } from './format.ts'
import { recordText } from './record-line.ts'
import { createRollingHash } from './rolling-hash.ts'

/** Writes one recording, as far as it has come. */
export class LineWriter {
  readonly #trace: ReplayableTrace
  readonly #stimuli: readonly Stimulus[]
  readonly #withViews: boolean
  readonly #isWhole: boolean
  readonly #rolling = createRollingHash()
  #begun = false
  #actors = 0
  #tape = 0
  #stimulus = 0
  #views = 0
  #keyframes = 0
  #damage = 0
  #bookmarks = 0

  /** @param isWhole whether all is written at once: then only notes that hold are */
  constructor(trace: ReplayableTrace, withViews: boolean, isWhole = false) {
    this.#trace = trace
    this.#stimuli = trace.stimuli
    this.#withViews = withViews
    this.#isWhole = isWhole
  }

  /** False when the trace began anew since. */
  writes(trace: ReplayableTrace): boolean {
    return trace === this.#trace && trace.stimuli === this.#stimuli
  }

  /** What was added since the last time. */
  *rest(): Generator<string> {
    if (!this.#begun) yield recordText(this.#trace.header)
    this.#begun = true
    const { stimuli } = this.#trace
    const bookmarks = this.#isWhole ? notesOf(this.#trace.bookmarks) : this.#trace.bookmarks
    // What the start did comes before the first stimulus that is not a part of it.
    yield* this.#step(this.#stimulus)
    while (this.#stimulus < stimuli.length) yield* this.#step(this.#stimulus + 1)
    yield* this.#keyframesUpTo(stimuli.length)
    yield* this.#damageUpTo(Number.POSITIVE_INFINITY)
    for (
      let next = bookmarks[this.#bookmarks];
      next && next.view < this.#views;
      next = bookmarks[++this.#bookmarks]
    )
      yield recordText(next)
  }

  /** The last lines of a file. */
  *end(): Generator<string> {
    const { actors, tape } = this.#trace
    yield* this.#actorsUpTo(actors.length - 1)
    yield* this.#tapeBefore(Number.POSITIVE_INFINITY, tape)
    yield recordText(this.#rolling.record())
    yield recordText({ line: 'end', stimuli: this.#stimulus, views: this.#views })
  }

  /** One stimulus with what was anchored in its course, after all that the step needs, before all that it did. */
  *#step(from: number): Generator<string> {
    const { stimuli, views, tape } = this.#trace
    let end = from
    while (stimuli[end]?.anchor) end += 1
    const next = stimuli[end]?.seq ?? Number.POSITIVE_INFINITY
    yield* this.#keyframesUpTo(this.#stimulus)
    yield* this.#damageUpTo(this.#stimulus)
    let endOfViews = this.#views
    let highest = -1
    for (let view = views[endOfViews]; view && view.cause < next; view = views[++endOfViews])
      highest = Math.max(highest, view.actor, view.from ?? -1)
    for (const { to, from: sender, anchor } of stimuli.slice(this.#stimulus, end))
      highest = Math.max(highest, to, sender ?? -1, anchor?.in ?? -1)
    yield* this.#actorsUpTo(highest)
    yield* this.#tapeBefore(next, tape)
    for (; this.#stimulus < end; this.#stimulus++) {
      const stimulus = stimuli[this.#stimulus]
      if (stimulus) yield recordText(stimulus)
    }
    for (; this.#views < endOfViews; this.#views++) yield* this.#view(views[this.#views])
  }

  *#view(view: ViewRecord | undefined): Generator<string> {
    if (!view) return
    const line = recordText(view)
    if (this.#withViews) yield line
    const hash = this.#rolling.add(view, line)
    if (hash) yield recordText(hash)
  }

  *#actorsUpTo(index: number): Generator<string> {
    const { actors } = this.#trace
    for (; this.#actors <= index; this.#actors++) {
      const actor = actors[this.#actors]
      if (actor) yield recordText(actor)
    }
  }

  *#tapeBefore(seq: number, tape: readonly TapeEntry[]): Generator<string> {
    for (let entry = tape[this.#tape]; entry && (entry.at ?? -1) < seq; entry = tape[++this.#tape])
      yield recordText(entry)
  }

  /** Damaged lines of a file that is written again are marked too: a reader could not find them any more. */
  *#damageUpTo(seq: number): Generator<string> {
    const { damage, stimuli } = this.#trace
    for (let next = damage[this.#damage]; next; next = damage[++this.#damage]) {
      const { at = stimuli.length } = next
      if (at > seq) return
      yield recordText({ line: 'damage', at, message: describeDamage(next) })
    }
  }

  /** A keyframe stands after all steps that it holds. */
  *#keyframesUpTo(seq: number): Generator<string> {
    const { keyframes } = this.#trace
    for (
      let next = keyframes[this.#keyframes];
      next && next.at <= seq && next.views <= this.#views;
      next = keyframes[++this.#keyframes]
    ) {
      yield* this.#actorsUpTo(next.actors - 1)
      yield recordText(next)
    }
  }
}
