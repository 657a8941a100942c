// A trace that another tab sends in batches.
import type {
  ActorEntry,
  BookmarkRecord,
  Damage,
  KeyframeRecord,
  ReplayableTrace,
  StepRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
} from '../../../trace/index.ts'

/** A batch as sent over the channel. */
export type Part =
  | TraceHeader
  | ActorEntry
  | Stimulus
  | StepRecord
  | BookmarkRecord
  | TapeEntry
  | KeyframeRecord
  | (Damage & { readonly line: 'damage' })

const NO_HEADER: TraceHeader = {
  line: 'header',
  format: 1,
  system: 'another tab',
  appVersion: '',
  xstateVersion: '',
  startedAt: '',
  input: undefined,
  machines: {},
  redaction: { policy: '' },
}

/** A trace that grows batch by batch. */
export class RemoteTrace implements ReplayableTrace {
  live = true
  readonly dropped: number
  readonly damage: Damage[] = []
  readonly actors: ActorEntry[] = []
  readonly stimuli: Stimulus[] = []
  readonly steps: StepRecord[] = []
  readonly bookmarks: BookmarkRecord[] = []
  readonly tape: TapeEntry[] = []
  readonly keyframes: KeyframeRecord[] = []
  readonly hashes = []
  header = NO_HEADER
  #version = 0
  readonly #listeners = new Set<() => void>()

  /**
   * @param dropped how many leading steps the sender dropped before this window connected, which lowered
   * their numbers
   */
  constructor(dropped = 0) {
    this.dropped = dropped
  }

  readonly version = (): number => this.#version

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = () => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Marks the trace as complete. */
  ended(): this {
    this.live = false
    return this
  }

  add(records: readonly Part[]): void {
    for (const record of records) {
      if (record.line === 'header') this.header = record
      else if (record.line === 'actor') this.actors.push(record)
      else if (record.line === 'stimulus') this.stimuli.push(record)
      else if (record.line === 'bookmark') this.bookmarks.push(record)
      else if (record.line === 'tape') this.tape.push(record)
      else if (record.line === 'keyframe') this.keyframes.push(record)
      else if (record.line === 'damage') {
        const { line: _line, ...damage } = record
        this.damage.push(damage)
      } else this.steps.push(record)
    }
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}
