// Single-line form for a code that the server checks.
import { useState } from 'react'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import type { Called } from '../../../../services/workbench/auth/index.ts'
import { FieldRow } from './field-row.tsx'
import { useTask } from './use-task.ts'

export interface CodeRowProps<T> {
  /** Accessible name of the form. */
  readonly name: string
  readonly label: string
  /** Shown in muted text after the label. */
  readonly note: string
  readonly isPrimary?: boolean
  /** Returns a validation error. */
  readonly check: (code: string) => string | undefined
  readonly send: (client: ChartroomClient, code: string) => Promise<Called<T>>
  readonly onDone: (value: T) => void
}

/** App codes have six digits; apps show them in two groups, so spaces are removed before this check. */
export const checkDigits = (code: string): string | undefined =>
  /^\d{6}$/.test(code) ? undefined : 'Enter all six digits.'

/** Shows "Confirmed" and is disabled once a code was accepted. */
export function CodeRow<T>(props: CodeRowProps<T>) {
  const { name, label, note, isPrimary = false, check, send, onDone } = props
  const { state, isRunning, run, forget } = useTask<'confirm'>()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const isDone = state.phase === 'done'
  const confirm = async () => {
    const text = code.replaceAll(/\s/g, '')
    const wrong = check(text)
    setError(wrong)
    if (wrong !== undefined) return
    const answer = await run('confirm', client => send(client, text))
    if (answer !== undefined) onDone(answer)
  }
  return (
    <FieldRow
      name={name}
      field={{
        label,
        labelNote: note,
        mono: true,
        autoComplete: 'one-time-code',
        inputMode: 'numeric',
        value: code,
        onChange: text => {
          setCode(text)
          setError(undefined)
          forget()
        },
        isDisabled: isDone,
        error,
      }}
      action={isDone ? 'Confirmed' : 'Confirm'}
      isPrimary={isPrimary}
      isPending={isRunning()}
      isDisabled={isDone}
      state={state}
      onSubmit={() => void confirm()}
    />
  )
}
