// Single account fields with their button and the reason why the last attempt was rejected: a draft to save, or a
// code that the server checks.
import { Button } from '../../../widgets/button.tsx'
import { TextField, type TextFieldProps } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import styles from '../account.module.css'
import { TaskRefusal, useTask } from './use-task.tsx'
import type { TaskState } from '../../../../services/workbench/accounts/index.ts'
import { useState } from 'react'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import type { Called } from '../../../../services/workbench/auth/index.ts'
import { useWaiting } from '../../auth/failure-notice.tsx'
import { useDraft } from '../../use-draft.ts'

interface FieldRowProps<Name extends string> {
  /** Accessible name of the form. */
  readonly name: string
  readonly field: TextFieldProps
  readonly action: string
  readonly isPrimary: boolean
  readonly isPending: boolean
  readonly isDisabled: boolean
  readonly state: TaskState<Name>
  readonly onSubmit: () => void
}

function FieldRow<Name extends string>(props: FieldRowProps<Name>) {
  const { name, field, action, isPrimary, isPending, isDisabled, state, onSubmit } = props
  return (
    <Form className={styles.row} aria-label={name} onSubmit={onSubmit}>
      <div className={styles.inline}>
        <TextField {...field} />
        <Button
          type="submit"
          variant={isPrimary ? 'primary' : 'plain'}
          isPending={isPending}
          isDisabled={isDisabled}
        >
          {action}
        </Button>
      </div>
      <TaskRefusal state={state} />
    </Form>
  )
}

interface RowProps<T> {
  /** Accessible name of the form. */
  readonly name: string
  readonly isPrimary?: boolean
  /** Returns a validation error. */
  readonly check: (text: string) => string | undefined
  readonly send: (client: ChartroomClient, text: string) => Promise<Called<T>>
  readonly onDone: (value: T) => void
}

interface DraftRowProps<T>
  extends RowProps<T>, Pick<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'placeholder'> {
  /** Storage key of the draft. */
  readonly draft: string
  readonly action: string
}

/** Keeps a draft until it is saved. */
export function DraftRow<T>(props: DraftRowProps<T>) {
  const { name, draft: key, action, isPrimary = false, check, send, onDone, ...input } = props
  const { state, isRunning, run, forget } = useTask<'save'>()
  const [draft, setDraft] = useDraft(key)
  const [error, setError] = useState<string>()
  const isWaiting = useWaiting(state.phase === 'refused' ? state.waitUntil : undefined)
  const text = draft ?? ''
  const save = async () => {
    const wrong = check(text)
    setError(wrong)
    if (wrong !== undefined || isWaiting) return
    const answer = await run('save', client => send(client, text))
    if (answer === undefined) return
    setDraft(null)
    onDone(answer)
  }
  return (
    <FieldRow
      name={name}
      field={{
        ...input,
        value: text,
        onChange: next => {
          setDraft(next === '' ? null : next)
          setError(undefined)
          forget()
        },
        error,
      }}
      action={action}
      isPrimary={isPrimary}
      isPending={isRunning()}
      isDisabled={isWaiting}
      state={state}
      onSubmit={() => void save()}
    />
  )
}

interface CodeRowProps<T> extends RowProps<T> {
  readonly label: string
  /** Shown in muted text after the label. */
  readonly note: string
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
