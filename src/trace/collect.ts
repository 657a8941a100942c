// Puts the records of a file in their places; a record that is missing is replaced, so that numbers keep their meaning.
import type {
  ActorEntry,
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

export interface Collector {
  /** Takes the next record; answers with what is wrong with its place. */
  add(record: TraceRecord): string | undefined
  finish(lines: number): ReplayableTrace
}

/** Creates a collector that adds to the given list of damage. */
export function createCollector(header: TraceHeader, damage: Damage[]): Collector {
  const actors: ActorEntry[] = []
  const stimuli: Stimulus[] = []
  const views: ViewRecord[] = []
  const tape: TapeEntry[] = []
  const hashes: HashRecord[] = []
  let keyframe: KeyframeRecord | undefined
  let end: EndRecord | undefined
  const inOrder = <T>(list: T[], at: number, item: T, lost: (at: number) => T): string | undefined => {
    const gap = at - list.length
    if (gap < 0 || gap > damage.length) return `is out of order: number ${at} where ${list.length} should be`
    while (list.length < at) list.push(lost(list.length))
    list.push(item)
    return undefined
  }
  const add = (record: TraceRecord): string | undefined => {
    switch (record.line) {
      case 'header':
        return 'is a second header'
      case 'actor':
        return inOrder(actors, record.index, record, lostActor)
      case 'stimulus':
        return inOrder(stimuli, record.seq, record, lostStimulus)
      case 'view':
        return inOrder(views, record.seq, record, seq => lostView(seq, views.at(-1)))
      case 'tape':
        return void tape.push(record)
      case 'hash':
        return void hashes.push(record)
      case 'keyframe':
        return void (keyframe = record)
      case 'end':
        return void (end = record)
    }
  }
  return {
    add,
    finish(lines) {
      if (!end) damage.push({ atLine: lines, message: 'the file was cut short: its last line is missing' })
      return {
        live: false,
        header,
        actors,
        stimuli,
        views,
        damage,
        tape,
        hashes,
        ...(keyframe && { keyframe }),
        ...(end && { end }),
        version: () => 0,
        subscribe: () => () => undefined,
      }
    },
  }
}
