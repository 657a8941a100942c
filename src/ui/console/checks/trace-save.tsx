// Saves the whole shown trace as a file and reports the outcome: the app that has it may be gone.
import { useState } from 'react'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'
import { JobFailure, JobLine } from './job-line.tsx'
import { useChecksContext } from './checks-context.ts'
import styles from './checks.module.css'
import { formatSize } from '../../../machines/index.ts'

type SaveState =
  | { readonly phase: 'none' | 'going' }
  | { readonly phase: 'saved'; readonly bytes: number }
  | { readonly phase: 'failed'; readonly message: string }

export interface TraceSave {
  readonly state: SaveState
  readonly save: (name: string) => void
}

export function useTraceSave(): TraceSave {
  const { file } = useChecksContext()
  const [state, setState] = useState<SaveState>({ phase: 'none' })
  const save = (name: string) => {
    setState({ phase: 'going' })
    file().then(
      blob => {
        saveAs(blob, name)
        setState({ phase: 'saved', bytes: blob.size })
      },
      (error: unknown) => setState({ phase: 'failed', message: messageOf(error) }),
    )
  }
  return { state, save }
}

/** Status of the save. */
export function TraceSaveLine({ state }: { readonly state: SaveState }) {
  if (state.phase === 'going') return <JobLine doing="Saving the trace" progress={{}} />
  if (state.phase === 'failed') return <JobFailure message={`The trace was not saved: ${state.message}`} />
  return (
    <span role="status" className={styles.faint}>
      {state.phase === 'saved' ? `Trace saved, ${formatSize(state.bytes)}` : ''}
    </span>
  )
}
