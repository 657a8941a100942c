// A form: what sending it does, and nothing of what a browser would do by itself.
import type { ComponentPropsWithRef } from 'react'

export interface FormProps extends Omit<ComponentPropsWithRef<'form'>, 'onSubmit' | 'noValidate'> {
  readonly onSubmit: () => void
}

/** Fields say themselves what is wrong with them, so the browser has no say. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        // A form in a dialog must not send the one that it was opened from.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
