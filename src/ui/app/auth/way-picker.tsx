// Radio buttons for the sign-in method.
import styles from './auth.module.css'
import { type Way, WAY_NAMES } from '../../../services/workbench/auth/index.ts'

export interface WayPickerProps {
  readonly ways: readonly Way[]
  readonly way: Way
  readonly onChoose: (way: Way) => void
}

/** Renders nothing if there is only one method. */
export function WayPicker({ ways, way, onChoose }: WayPickerProps) {
  if (ways.length < 2) return null
  return (
    <fieldset className={styles.ways}>
      <legend className={styles.spoken}>Sign-in method</legend>
      {ways.map(each => (
        <label key={each} className={styles.way} data-on={each === way || undefined}>
          <input
            type="radio"
            name="way"
            className={styles.spoken}
            checked={each === way}
            onChange={() => onChoose(each)}
          />
          {WAY_NAMES[each]}
        </label>
      ))}
    </fieldset>
  )
}
