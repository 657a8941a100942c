// Single-line and multi-line text fields with label, hint and error.
import type { ReactNode } from 'react'
import {
  FieldError,
  Input,
  Label,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Text,
  VisuallyHidden,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import control from './control.module.css'
import { cx } from './cx.ts'
import styles from './field.module.css'

interface FieldProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'style'> {
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

const invalid = (error: string | undefined) => (error === undefined ? {} : { isInvalid: true })

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

function FieldLabel(props: {
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

function Below({ hint, error }: { readonly hint: ReactNode; readonly error: string | undefined }) {
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
