// A code that is entered and checked by the server, in one line.
import { useState } from 'react'
import type { ChartroomClient } from '../../../../index.ts'
import type { Called } from '../../auth/call.ts'
import { FieldRow } from './field-row.tsx'
import { useTask } from './use-task.ts'

export interface CodeRowProps<T> {
  /** Of the form, for screen readers. */
  readonly name: string
  readonly label: string
  /** Shown faintly after the label. */
  readonly note: string
  readonly isPrimary?: boolean
  /** What is wrong with what was typed. */
  readonly check: (code: string) => string | undefined
  readonly send: (client: ChartroomClient, code: string) => Promise<Called<T>>
  readonly onDone: (value: T) => void
}

/** Codes of apps have six digits, which apps show in two groups. */
export const checkDigits = (code: string): string | undefined =>
  /^\d{6}$/.test(code) ? undefined : 'A code has six digits.'

/** Once it was taken it says so, and takes no other. */
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
