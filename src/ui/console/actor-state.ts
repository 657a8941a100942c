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

const SHORT = 16

/** The whole state where it is short; else the inner state that needs attention, or the gist. */
function shortState(view: ViewRecord, { tone, path }: Meaning): string {
  if (view.status !== 'active') return view.status
  const label = stateLabel(view.value)
  if (label === '') return 'running'
  if (label.length <= SHORT || typeof view.value === 'string') return label
  const leaves = leafPaths(view.value)
  const needsAttention = tone !== 'ok' && tone !== 'neutral'
  if (leaves.length > 1 && !needsAttention) return Object.keys(view.value ?? {}).join(', ')
  return (
    path
      ?.split('.')
      .slice(leaves.length > 1 ? -1 : -2)
      .join('.') ?? label
  )
}
