// Radio buttons for the sign-in method.
import { METHOD_NAMES, type methodsOf } from '../../../services/workbench/auth/index.ts'
import styles from './auth.module.css'
import type { SignIn } from './use-sign-in.ts'

export interface MethodPickerProps {
  readonly form: SignIn
  readonly methods: ReturnType<typeof methodsOf>
}

/** Renders nothing if there is only one method. */
export function MethodPicker({ form, methods }: MethodPickerProps) {
  if (methods.length < 2) return null
  return (
    <fieldset className={styles.methods}>
      <legend className={styles.spoken}>Sign-in method</legend>
      {methods.map(each => (
        <label key={each} className={styles.method} data-on={each === form.page || undefined}>
          <input
            type="radio"
            name="method"
            className={styles.spoken}
            checked={each === form.page}
            onChange={() => form.choose(each)}
          />
          {METHOD_NAMES[each]}
        </label>
      ))}
    </fieldset>
  )
}
