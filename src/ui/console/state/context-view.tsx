// The actor after the selected step: state, context, output and error, with the step's changes marked.
import { useMemo } from 'react'
import type { StepRecord } from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'
import { snapshotOf } from './state-path.ts'
import parts from '../canvas/parts.module.css'
import styles from './state.module.css'
import { useChangeTree, useDifference } from './use-changes.ts'
import { ValuePane } from './value-pane.tsx'

export interface ContextViewProps {
  readonly record: StepRecord
  /** The actor's previous record. */
  readonly before: StepRecord | undefined
  readonly onWhen: (pointer: string) => void
}

export function ContextView({ record, before, onWhen }: ContextViewProps) {
  const { timeline } = useConsole()
  const value = useMemo(() => snapshotOf(record), [record])
  const changes = useChangeTree(useDifference(before, record), before)
  if (Object.keys(value).length === 0) return <p className={styles.pane}>This actor has no context.</p>
  return (
    <div className={parts.column}>
      <ValuePane
        value={value}
        label="Context"
        changes={changes}
        overTime="holds"
        actor={timeline.actors[record.actor]?.path}
        onWhen={onWhen}
      />
    </div>
  )
}
