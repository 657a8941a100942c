// An actor's state at a moment, as a short label with a tone.
import type { ActorEntry, MachineChart, Timeline } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { meaningOf } from '../tone.ts'

export interface ActorState {
  readonly text: string
  /** The whole state. */
  readonly full: string
  readonly tone: Tone
  /** Whether it is running without states. */
  readonly isPlain: boolean
}

/** Returns the state at `at`. */
export function actorState(
  entry: ActorEntry,
  timeline: Timeline,
  at: number,
  charts: Readonly<Record<string, MachineChart>>,
): ActorState {
  const seq = timeline.lastOf(entry.index, at)
  if (seq < 0) return { text: 'not started', full: 'not started', tone: 'neutral', isPlain: true }
  const [status, { value, label, leaves }] = [timeline.status(seq), timeline.state(seq)]
  const { tone, path } = meaningOf({ status, value }, charts[entry.src])
  const text = status !== 'active' ? status : path === undefined ? 'running' : shortState(leaves, tone, path)
  return { text, full: label || text, tone, isPlain: status === 'active' && path === undefined }
}

/** Returns the innermost state; of several ones, the most severe, else their common parent. */
function shortState(leaves: readonly string[], tone: Tone, path: string): string {
  const needsAttention = tone !== 'ok' && tone !== 'neutral'
  const around = leaves.length === 1 || needsAttention ? path : sharedPath(leaves)
  if (around !== '') return lastKey(around)
  // Parallel regions: the first and the number of others, to leave space for the actor's name.
  return `${lastKey(leaves[0] ?? '')} +${leaves.length - 1}`
}

const lastKey = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function sharedPath(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map(path => path.split('.'))
  const ends = first.findIndex((key, at) => rest.some(path => path[at] !== key))
  return first.slice(0, ends === -1 ? undefined : ends).join('.')
}
