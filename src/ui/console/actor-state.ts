// An actor's state at a moment, in a word with a meaning.
import type { ActorEntry, MachineChart, ViewRecord } from '../../trace/format.ts'
import type { Tone } from '../widgets/pill.tsx'
import { stateLabel } from './state-value.ts'
import { toneOf } from './tone.ts'
import type { Followed } from './use-trace.ts'

export interface ActorState {
  readonly text: string
  readonly tone: Tone
}

/** The state at `at`; a parallel state is told by its own name. */
export function actorState(
  entry: ActorEntry,
  followed: Pick<Followed, 'index' | 'source'>,
  at: number,
  charts: Readonly<Record<string, MachineChart>>,
): ActorState {
  const view = followed.source.views[followed.index.lastOf(entry.index, at)]
  if (!view) return { text: 'not started', tone: 'neutral' }
  return { text: shortState(view), tone: toneOf(view, charts[entry.src]) }
}

function shortState(view: ViewRecord): string {
  if (view.status !== 'active') return view.status
  if (view.value === undefined) return 'running'
  const label = stateLabel(view.value)
  if (label.length <= 22 || typeof view.value === 'string') return label
  return Object.keys(view.value).join(', ')
}
