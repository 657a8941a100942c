// The choice of the shown system, in the toolbar of a console that has several.
import { Select } from '../../widgets/select.tsx'
import styles from './attach.module.css'
import type { SystemEntry } from './systems.ts'

export interface SystemChoiceProps {
  readonly entries: readonly SystemEntry[]
  readonly shown: number | undefined
  readonly onShow: (id: number) => void
}

/** Renders nothing for a single system. */
export function SystemChoice({ entries, shown, onShow }: SystemChoiceProps) {
  if (entries.length < 2) return null
  return (
    <div className={styles.choice}>
      <Select
        label="System in the console"
        hideLabel
        options={entries.map(({ id, label, isRunning }) => ({
          id: String(id),
          label: isRunning ? label : `${label} (ended)`,
        }))}
        value={shown === undefined ? null : String(shown)}
        onChange={id => onShow(Number(id))}
      />
    </div>
  )
}
