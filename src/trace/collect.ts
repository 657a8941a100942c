// Puts the records of a file in their places; a record that is missing is replaced, so that numbers keep their meaning.
import type {
  ActorEntry,
  BookmarkRecord,
  Damage,
  EndRecord,
  HashRecord,
  KeyframeRecord,
  ReplayableTrace,
  Stimulus,
  TapeEntry,
  TraceHeader,
  TraceRecord,
  ViewRecord,
} from './format.ts'

/** Type of the event in a record that stands for a damaged line, so that numbers keep their meaning. */
export const LOST = 'chartroom.lost'

const lostActor = (index: number): ActorEntry => ({
  line: 'actor',
  index,
  path: `lost-${index}`,
  kind: 'other',
  src: LOST,
})
const lostStimulus = (seq: number): Stimulus => ({
  line: 'stimulus',
  seq,
  t: 0,
  kind: 'external',
  to: 0,
  event: { type: LOST },
})
const lostView = (seq: number, before: ViewRecord | undefined): ViewRecord => ({
  line: 'view',
  seq,
  t: before?.t ?? 0,
  actor: before?.actor ?? 0,
  event: { type: LOST },
  cause: before?.cause ?? -1,
  status: 'active',
  changed: false,
})

/** Takes the records of one file. */
export class Collector {
  readonly #header: TraceHeader
  readonly #damage: Damage[]
  readonly #actors: ActorEntry[] = []
  readonly #stimuli: Stimulus[] = []
  readonly #views: ViewRecord[] = []
  readonly #tape: TapeEntry[] = []
  readonly #hashes: HashRecord[] = []
  readonly #keyframes: KeyframeRecord[] = []
  readonly #bookmarks: BookmarkRecord[] = []
  #end: EndRecord | undefined

  /** Adds to the given list of damage. */
  constructor(header: TraceHeader, damage: Damage[]) {
    this.#header = header
    this.#damage = damage
  }

  /** Takes the next record; answers with what is wrong with its place. */
  add(record: TraceRecord): string | undefined {
    switch (record.line) {
      case 'header':
        return 'is a second header'
      case 'actor':
        return this.#place(this.#actors, record.index, record, lostActor)
      case 'stimulus':
        return this.#place(this.#stimuli, record.seq, record, lostStimulus)
      case 'view':
        return this.#place(this.#views, record.seq, record, seq => lostView(seq, this.#views.at(-1)))
      case 'tape':
        return void this.#tape.push(record)
      case 'hash':
        return void this.#hashes.push(record)
      case 'keyframe':
        return void this.#keyframes.push(record)
      case 'bookmark':
        return void this.#bookmarks.push(record)
      case 'end':
        return void (this.#end = record)
    }
  }

  /** The trace, when the file has no more lines. */
  finish(lines: number): ReplayableTrace {
    if (!this.#end) {
      this.#damage.push({ atLine: lines, message: 'the file was cut short: its last line is missing' })
    }
    return {
      live: false,
      header: this.#header,
      actors: this.#actors,
      stimuli: this.#stimuli,
      views: this.#views,
      damage: this.#damage,
      tape: this.#tape,
      hashes: this.#hashes,
      keyframes: this.#keyframes,
      bookmarks: this.#bookmarks,
      ...(this.#end && { end: this.#end }),
      version: () => 0,
      subscribe: () => () => undefined,
    }
  }

  /** Only as many records can be missing as lines were damaged. */
  #place<T>(list: T[], at: number, item: T, lost: (at: number) => T): string | undefined {
    const gap = at - list.length
    if (gap < 0 || gap > this.#damage.length) {
      return `is out of order: number ${at} where ${list.length} should be`
    }
    while (list.length < at) list.push(lost(list.length))
    list.push(item)
    return undefined
  }
}
