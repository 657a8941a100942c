// One address that has to confirm a change, by the link that was mailed to it or by its code.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { callAuth } from '../auth/call.ts'
import { checkCode } from '../auth/checks.ts'
import { notify } from '../shell/notify.ts'
import styles from './account.module.css'
import type { Consent } from './contact.ts'
import { TaskRefusal } from './task-refusal.tsx'
import { useTask } from './use-task.ts'
import { useUser } from './use-user.ts'

const NAMES = { present: 'Code to your present address', new: 'Code to the new address' } as const

export function ConsentRow({ consent: { side, address } }: { readonly consent: Consent }) {
  const { reload } = useUser()
  const { state, isRunning, run, forget } = useTask<'confirm'>()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const confirm = async () => {
    const wrong = checkCode(code).code
    setError(wrong)
    if (wrong !== undefined) return
    const answer = await run('confirm', client =>
      callAuth(client, auth => auth.verifyOtp({ email: address, token: code.trim(), type: 'email_change' })),
    )
    if (answer === undefined) return
    reload()
    // Without a session the server waits for the other address.
    if (answer.session) notify({ tone: 'ok', title: 'Your address is changed' })
  }
  const isDone = state.phase === 'done'
  return (
    <form
      className={styles.row}
      aria-label={`Confirm ${address}`}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void confirm()
      }}
    >
      <div className={styles.inline}>
        <TextField
          label={NAMES[side]}
          labelNote={address}
          mono
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onChange={text => {
            setCode(text)
            setError(undefined)
            forget()
          }}
          isDisabled={isDone}
          error={error}
        />
        <Button type="submit" isPending={isRunning()} isDisabled={isDone}>
          {isDone ? 'Confirmed' : 'Confirm'}
        </Button>
      </div>
      <TaskRefusal state={state} />
    </form>
  )
}
