// Writes a trace: one JSON line per record, in chronological order, gzipped as a whole.
import { notesOf, type ReplayableTrace } from '../format/trace-source.ts'
import { packLines } from '../read/gzip.ts'
import { describeDamage } from '../read/describe-damage.ts'
import type { StepRecord, Stimulus, TapeEntry } from '../format/records.ts'
import { recordText } from './record-line.ts'
import { createRollingHash } from '../codec/rolling-hash.ts'

/** Options of `encodeFile` and `encodeLines`. */
export interface EncodeOptions {
  /** False omits the steps; divergences are still detected by hash. */
  readonly steps?: boolean
}

/** Incremental writer of an ongoing recording. */
export interface LineEncoder {
  /**
   * Returns the lines since the last call; call it between two steps. If the recording restarted since then,
   * they are the first lines of a new file, starting with its header, and `began` has increased. After `most`
   * lines, the rest is left to later calls from the next stimulus on; all are returned by default.
   */
  next(most?: number): string[]
  /** Returns the remaining lines, including the last line of a properly closed file. */
  end(): string[]
  /** Number of files started so far. */
  readonly began: number
}

/** Starts to write this trace from its first record; each call costs what was added since the last one. */
export function createLineEncoder(trace: ReplayableTrace, options: EncodeOptions = {}): LineEncoder {
  let writer: LineWriter | undefined
  let began = 0
  const current = () => {
    if (writer?.writes(trace)) return writer
    began += 1
    writer = new LineWriter(trace, options.steps !== false)
    return writer
  }
  return {
    next: most => [...current().rest(most)],
    end() {
      const writing = current()
      return [...writing.rest(), ...writing.end()]
    },
    get began() {
      return began
    },
  }
}

/** All lines of a file, the header first. */
export function* encodeLines(trace: ReplayableTrace, options: EncodeOptions = {}): Generator<string> {
  const writer = new LineWriter(trace, options.steps !== false, true)
  yield* writer.rest()
  yield* writer.end()
}

/** Characters of text per member of a packed file: small enough to unpack in a millisecond. */
export const MEMBER_TEXT = 2 ** 17

export interface FileOptions extends EncodeOptions {
  readonly onLine?: (line: string) => void
  /** Called after each line; a returned promise is awaited before the next one, so that a page gets a turn. */
  readonly pause?: () => Promise<void> | undefined
}

/** A whole file: gzipped lines, in members that can be unpacked individually. */
export async function encodeFile(
  trace: ReplayableTrace,
  options: FileOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const members: Promise<Uint8Array<ArrayBuffer>>[] = []
  let lines: string[] = []
  let length = 0
  const pack = async () => {
    members.push(packLines(lines))
    lines = []
    length = 0
    // Otherwise the entire text would be held in memory before it is packed.
    await members.at(-1)
  }
  for (const line of encodeLines(trace, options)) {
    options.onLine?.(line)
    lines.push(line)
    length += line.length
    if (length >= MEMBER_TEXT) await pack()
    const turn = options.pause?.()
    if (turn) await turn
  }
  if (lines.length > 0) await pack()
  return new Uint8Array(await new Blob(await Promise.all(members)).arrayBuffer())
}

/** Writes one recording up to its current end. */
class LineWriter {
  readonly #trace: ReplayableTrace
  readonly #stimuli: readonly Stimulus[]
  readonly #withSteps: boolean
  readonly #isWhole: boolean
  readonly #rolling = createRollingHash()
  #begun = false
  #actors = 0
  #tape = 0
  #stimulus = 0
  #steps = 0
  #keyframes = 0
  #damage = 0
  #bookmarks = 0

  /** @param isWhole whether everything is written at once: then only current bookmarks are written */
  constructor(trace: ReplayableTrace, withSteps: boolean, isWhole = false) {
    this.#trace = trace
    this.#stimuli = trace.stimuli
    this.#withSteps = withSteps
    this.#isWhole = isWhole
  }

  /** False if the trace has restarted since. */
  writes(trace: ReplayableTrace): boolean {
    return trace === this.#trace && trace.stimuli === this.#stimuli
  }

  /** The lines added since the last call; stops before the next stimulus after `most` of them. */
  *rest(most = Number.POSITIVE_INFINITY): Generator<string> {
    if (!this.#begun) yield recordText(this.#trace.header)
    this.#begun = true
    const { stimuli } = this.#trace
    const bookmarks = this.#isWhole ? notesOf(this.#trace.bookmarks) : this.#trace.bookmarks
    // The effects of the start precede the first stimulus that is not part of it.
    yield* this.#step(this.#stimulus)
    let count = 0
    while (this.#stimulus < stimuli.length) {
      if (count >= most) return
      for (const line of this.#step(this.#stimulus + 1)) {
        count += 1
        yield line
      }
    }
    yield* this.#keyframesUpTo(stimuli.length)
    yield* this.#damageUpTo(Number.POSITIVE_INFINITY)
    for (
      let next = bookmarks[this.#bookmarks];
      next && next.step < this.#steps;
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
    yield recordText({ line: 'end', stimuli: this.#stimulus, steps: this.#steps })
  }

  /**
   * One stimulus with the stimuli anchored in it, after everything that the step needs, before everything
   * that it caused.
   */
  *#step(from: number): Generator<string> {
    const { stimuli, steps, tape } = this.#trace
    let end = from
    while (stimuli[end]?.anchor) end += 1
    const next = stimuli[end]?.seq ?? Number.POSITIVE_INFINITY
    yield* this.#keyframesUpTo(this.#stimulus)
    yield* this.#damageUpTo(this.#stimulus)
    let endOfSteps = this.#steps
    let highest = -1
    for (let step = steps[endOfSteps]; step && step.cause < next; step = steps[++endOfSteps])
      highest = Math.max(highest, step.actor, step.from ?? -1)
    for (const { to, from: sender, anchor, same = [] } of stimuli.slice(this.#stimulus, end))
      highest = Math.max(highest, to, sender ?? -1, anchor?.in ?? -1, ...same.map(one => one.actor ?? -1))
    yield* this.#actorsUpTo(highest)
    yield* this.#tapeBefore(next, tape)
    for (; this.#stimulus < end; this.#stimulus++) {
      const stimulus = stimuli[this.#stimulus]
      if (stimulus) yield recordText(stimulus)
    }
    for (; this.#steps < endOfSteps; this.#steps++) yield* this.#stepLine(steps[this.#steps])
  }

  *#stepLine(step: StepRecord | undefined): Generator<string> {
    if (!step) return
    const line = recordText(step)
    if (this.#withSteps) yield line
    const hash = this.#rolling.add(step, line)
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

  /**
   * When a damaged file is written again, its damaged lines are marked, since a reader could no longer detect
   * them.
   */
  *#damageUpTo(seq: number): Generator<string> {
    const { damage, stimuli } = this.#trace
    for (let next = damage[this.#damage]; next; next = damage[++this.#damage]) {
      const { at = stimuli.length } = next
      if (at > seq) return
      yield recordText({ line: 'damage', at, message: describeDamage(next) })
    }
  }

  /** A keyframe follows all steps that it includes. */
  *#keyframesUpTo(seq: number): Generator<string> {
    const { keyframes } = this.#trace
    for (
      let next = keyframes[this.#keyframes];
      next && next.at <= seq && next.steps <= this.#steps;
      next = keyframes[++this.#keyframes]
    ) {
      yield* this.#actorsUpTo(next.actors - 1)
      yield recordText(next)
    }
  }
}
