// The field of a JSON body: with colours and brackets once they were fetched, as plain text until then.
import { lazy, Suspense, useState } from 'react'
import { cx } from '../../widgets/cx.ts'
import control from '../../widgets/control.module.css'
import field from '../../widgets/field.module.css'
import styles from './functions.module.css'

export interface JsonFieldProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
}

interface InnerProps extends JsonFieldProps {
  /** Whether somebody is typing. */
  readonly isTyped: boolean
  readonly onTyped: (isTyped: boolean) => void
}

function PlainField({ label, text, onChange, error, onTyped }: InnerProps) {
  return (
    <textarea
      className={cx(control.box, field.input, field.area, field.mono)}
      aria-label={label}
      aria-invalid={error !== undefined}
      rows={8}
      spellCheck={false}
      value={text}
      onChange={event => onChange(event.target.value)}
      onFocus={() => onTyped(true)}
      onBlur={() => onTyped(false)}
    />
  )
}

/** Without the code, which can't be fetched while the server is away, it stays plain. */
const Field = lazy(async () => {
  try {
    const { CodeField } = await import('../data/editors/code-field.tsx')
    return {
      default: ({ label, text, onChange, isTyped }: InnerProps) => (
        <span className={styles.code}>
          <CodeField label={label} text={text} onChange={onChange} takesFocus={isTyped} />
        </span>
      ),
    }
  } catch {
    return { default: PlainField }
  }
})

/** Whoever types while the better field comes goes on typing. */
export function JsonField(props: JsonFieldProps) {
  const [isTyped, onTyped] = useState(false)
  const { error } = props
  const inner = { ...props, isTyped, onTyped }
  return (
    <div className={styles.jsonField}>
      <Suspense fallback={<PlainField {...inner} />}>
        <Field {...inner} />
      </Suspense>
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  )
}
