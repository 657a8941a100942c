// One field of the account and the button that saves it; what was typed is kept until it is.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField, type TextFieldProps } from '../../widgets/field.tsx'
import type { ChartroomClient } from '../../../index.ts'
import type { Called } from '../auth/call.ts'
import { useWaiting } from '../auth/wait-notice.tsx'
import styles from './account.module.css'
import { TaskRefusal } from './task-refusal.tsx'
import { useDraft } from './use-draft.ts'
import { useTask } from './use-task.ts'

export interface DraftRowProps<T> extends Pick<
  TextFieldProps,
  'label' | 'type' | 'autoComplete' | 'placeholder'
> {
  /** Of the form, for screen readers. */
  readonly name: string
  /** Under which the draft is kept. */
  readonly draft: string
  readonly action: string
  readonly isPrimary?: boolean
  readonly check: (text: string) => string | undefined
  readonly send: (client: ChartroomClient, text: string) => Promise<Called<T>>
  readonly onDone: (value: T) => void
}

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
    <form
      className={styles.row}
      aria-label={name}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <div className={styles.inline}>
        <TextField
          {...input}
          value={text}
          onChange={next => {
            setDraft(next === '' ? null : next)
            setError(undefined)
            forget()
          }}
          error={error}
        />
        <Button
          type="submit"
          variant={isPrimary ? 'primary' : 'plain'}
          isPending={isRunning()}
          isDisabled={isWaiting}
        >
          {action}
        </Button>
      </div>
      <TaskRefusal state={state} />
    </form>
  )
}
