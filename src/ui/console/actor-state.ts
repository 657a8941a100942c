// An actor's state at a moment, in a word with a meaning.
import type { ActorEntry, MachineChart, ViewRecord } from '../../trace/format.ts'
import type { Tone } from '../widgets/pill.tsx'
import { leafPaths, stateLabel } from './state-value.ts'
import { meaningOf, type Meaning } from './tone.ts'
import type { TraceIndex } from './trace-index.ts'

export interface ActorState {
  readonly text: string
  /** The whole state. */
  readonly full: string
  readonly tone: Tone
}

/** The state at `at`. */
export function actorState(
  entry: ActorEntry,
  index: TraceIndex,
  at: number,
  charts: Readonly<Record<string, MachineChart>>,
): ActorState {
  const view = index.source.views[index.lastOf(entry.index, at)]
  if (!view) return { text: 'not started', full: 'not started', tone: 'neutral' }
  const meaning = meaningOf(view, charts[entry.src])
  const text = shortState(view, meaning)
  return { text, full: stateLabel(view.value) || text, tone: meaning.tone }
}

/** The innermost state; of several ones that which needs attention, else the state that holds them all. */
function shortState(view: ViewRecord, { tone, path }: Meaning): string {
  if (view.status !== 'active') return view.status
  if (path === undefined) return 'running'
  const leaves = leafPaths(view.value)
  const needsAttention = tone !== 'ok' && tone !== 'neutral'
  const around = leaves.length === 1 || needsAttention ? path : sharedPath(leaves)
  if (around !== '') return lastKey(around)
  // Regions side by side: the first and how many more, so that room is left for the actor's name.
  return `${lastKey(leaves[0] ?? '')} +${leaves.length - 1}`
}

const lastKey = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function sharedPath(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map(path => path.split('.'))
  const ends = first.findIndex((key, at) => rest.some(path => path[at] !== key))
  return first.slice(0, ends === -1 ? undefined : ends).join('.')
}
