// Edits: drop, change or insert stimuli of a trace that is driven.
import type { ReplayableTrace, Stimulus } from '../../../trace/index.ts'

interface AnyEvent {
  readonly type: string
}

/** A change to the stimuli; `seq` and `before` are numbers of recorded stimuli. */
export type Edit =
  | { readonly edit: 'drop'; readonly seq: number }
  | { readonly edit: 'change'; readonly seq: number; readonly event: AnyEvent }
  | {
      readonly edit: 'insert'
      /** A number beyond the last stimulus appends the event. */
      readonly before: number
      readonly event: AnyEvent
      /** Path of the receiver. Defaults to the root. */
      readonly to?: string
    }

/** A stimulus that is repeated between two steps. */
export interface DriveTurn {
  readonly stimulus: Stimulus
  /** Position in the recording: the number of the last recorded stimulus. */
  readonly at: number
  /** Number of the recorded stimulus that begins the next turn. */
  readonly next: number
}

/** The edited stimuli, and the edits that could not be applied. */
export interface Edited {
  /** Including anchored stimuli. */
  readonly stimuli: readonly Stimulus[]
  readonly turns: readonly DriveTurn[]
  /** Number of the recorded stimulus that begins the first turn. */
  readonly first: number
  readonly impossible: readonly string[]
}

/** Applies the edits; `keep` additionally omits stimuli. */
export function applyEdits(
  trace: ReplayableTrace,
  edits: readonly Edit[],
  keep: (stimulus: Stimulus) => boolean = () => true,
): Edited {
  const impossible: string[] = []
  const dropped = new Set<number>()
  const changed = new Map<number, AnyEvent>()
  const inserted = new Map<number, Stimulus[]>()
  const { length } = trace.stimuli
  let seq = length
  for (const one of edits) {
    if (one.edit === 'insert') {
      const to = one.to === undefined ? 0 : trace.actors.findIndex(({ path }) => path === one.to)
      const at = Math.max(0, Math.min(one.before, length))
      const t = (trace.stimuli[at] ?? trace.stimuli[length - 1])?.t ?? 0
      if (to < 0) impossible.push(`no recorded actor ${one.to} to send ${one.event.type} to`)
      else add(inserted, at, { line: 'stimulus', seq: seq++, t, kind: 'external', to, event: one.event })
    } else if (one.seq < 0 || one.seq >= length) impossible.push(`no input #${one.seq} to ${one.edit}`)
    else if (one.edit === 'drop') dropped.add(one.seq)
    else changed.set(one.seq, one.event)
  }
  const stimuli = trace.stimuli.flatMap((stimulus, at) => {
    const event = changed.get(at)
    const kept = dropped.has(at) || !keep(stimulus) ? [] : [event ? { ...stimulus, event } : stimulus]
    return [...(inserted.get(at) ?? []), ...kept]
  })
  const all = [...stimuli, ...(inserted.get(length) ?? [])]
  const first = all.find(({ anchor, seq: at }) => !anchor && at < length)?.seq ?? Number.POSITIVE_INFINITY
  return { stimuli: all, turns: turnsOf(all, length), first, impossible }
}

function turnsOf(stimuli: readonly Stimulus[], recorded: number): DriveTurn[] {
  const between = stimuli.filter(({ anchor }) => !anchor)
  const turns: DriveTurn[] = []
  let next = Number.POSITIVE_INFINITY
  for (const stimulus of between.toReversed()) {
    const { seq } = stimulus
    turns.push({ stimulus, at: seq < recorded ? seq : next - 1, next })
    if (seq < recorded) next = seq
  }
  return turns.toReversed()
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
