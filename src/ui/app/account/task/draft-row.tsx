// Single account field with its save button; keeps a draft until it is saved.
import { useState } from 'react'
import type { TextFieldProps } from '../../../widgets/field.tsx'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import type { Called } from '../../../../services/workbench/auth/index.ts'
import { useWaiting } from '../../auth/wait-notice.tsx'
import { FieldRow } from './field-row.tsx'
import { useDraft } from '../../use-draft.ts'
import { useTask } from './use-task.ts'

export interface DraftRowProps<T> extends Pick<
  TextFieldProps,
  'label' | 'type' | 'autoComplete' | 'placeholder'
> {
  /** Accessible name of the form. */
  readonly name: string
  /** Storage key of the draft. */
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
