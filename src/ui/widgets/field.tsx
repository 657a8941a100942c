// A single-line text field with label, hint and error, and the parts that it shares with the multi-line one.
import type { ReactNode } from 'react'
import {
  FieldError,
  Input,
  Label,
  TextField as AriaTextField,
  Text,
  VisuallyHidden,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import control from './control.module.css'
import { cx } from './cx.ts'
import styles from './field.module.css'

export interface FieldProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'style'> {
  readonly label: string
  /** Shows the label to screen readers only. */
  readonly hideLabel?: boolean
  /** Shown in muted text after the label, e.g. the type of the value. */
  readonly labelNote?: string
  readonly hint?: ReactNode
  /** Error message; marks the field as invalid. */
  readonly error?: string | undefined
  /** Shows the value in the monospace font. */
  readonly mono?: boolean
  readonly placeholder?: string
}

export interface TextFieldProps extends FieldProps {
  readonly suffix?: ReactNode
  readonly inputRef?: React.Ref<HTMLInputElement>
}

export const invalid = (error: string | undefined) => (error === undefined ? {} : { isInvalid: true })

/** A labeled single-line input. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel, labelNote, hint, error, mono, placeholder, suffix, inputRef, ...rest } = props
  return (
    <AriaTextField validationBehavior="aria" {...rest} {...invalid(error)} className={cx(control.control)}>
      <FieldLabel label={label} note={labelNote} hide={hideLabel} />
      <span className={styles.line}>
        <Input
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(inputRef === undefined ? {} : { ref: inputRef })}
          className={cx(control.box, styles.input, mono === true && styles.mono)}
        />
        {suffix}
      </span>
      <Below hint={hint} error={error} />
    </AriaTextField>
  )
}

export function FieldLabel(props: {
  readonly label: string
  readonly note: string | undefined
  readonly hide: boolean | undefined
}) {
  const line = (
    <span className={styles.labelLine}>
      <Label className={cx(control.label)}>{props.label}</Label>
      {props.note === undefined ? null : <span className={styles.note}>{props.note}</span>}
    </span>
  )
  return props.hide === true ? <VisuallyHidden>{line}</VisuallyHidden> : line
}

export function Below({ hint, error }: { readonly hint: ReactNode; readonly error: string | undefined }) {
  return (
    <>
      {hint === undefined || error !== undefined ? null : (
        <Text slot="description" className={cx(styles.hint)}>
          {hint}
        </Text>
      )}
      <FieldError className={cx(control.error)}>{error}</FieldError>
    </>
  )
}
