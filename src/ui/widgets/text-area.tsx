// A multi-line text field with label, hint and error.
import { TextArea as AriaTextArea, TextField as AriaTextField } from 'react-aria-components'
import control from './control.module.css'
import { cx } from './cx.ts'
import { Below, FieldLabel, type FieldProps, invalid } from './field.tsx'
import styles from './field.module.css'

export interface TextAreaProps extends FieldProps {
  readonly rows?: number
}

/** A labeled multi-line input. */
export function TextArea(props: TextAreaProps) {
  const { label, hideLabel, labelNote, hint, error, mono, placeholder, rows = 4, ...rest } = props
  return (
    <AriaTextField validationBehavior="aria" {...rest} {...invalid(error)} className={cx(control.control)}>
      <FieldLabel label={label} note={labelNote} hide={hideLabel} />
      <AriaTextArea
        rows={rows}
        {...(placeholder === undefined ? {} : { placeholder })}
        className={cx(control.box, styles.input, styles.area, mono === true && styles.mono)}
      />
      <Below hint={hint} error={error} />
    </AriaTextField>
  )
}
