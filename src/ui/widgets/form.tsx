// A form that submits in JavaScript only, without native validation.
import type { ComponentPropsWithRef } from 'react'

export interface FormProps extends Omit<ComponentPropsWithRef<'form'>, 'onSubmit' | 'noValidate'> {
  readonly onSubmit: () => void
}

/** Disables native validation: the fields show their own errors. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        // Submitting a form in a dialog must not submit the form that opened the dialog.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
