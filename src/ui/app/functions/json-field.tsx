// The JSON body field with its error.
import { JsonText } from '../json/json-text.tsx'
import styles from './functions.module.css'

export interface JsonFieldProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
}

export function JsonField({ error, ...field }: JsonFieldProps) {
  return (
    <div className={styles.jsonField}>
      <JsonText {...field} isInvalid={error !== undefined} className={styles.code} />
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  )
}
