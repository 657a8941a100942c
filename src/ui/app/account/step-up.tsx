// Confirms the second factor for the session at hand: from aal1 to aal2.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { callAuth } from '../auth/call.ts'
import { notify } from '../shell/notify.ts'
import styles from './account.module.css'
import { Card } from './card.tsx'
import { factorName, verifiedOf } from './factors.ts'
import { TaskRefusal } from './task-refusal.tsx'
import { useTask } from './use-task.ts'
import { useUser } from './use-user.ts'

/** Nothing where there is no factor to confirm. */
export function StepUp() {
  const { user, reload } = useUser()
  const factors = verifiedOf(user?.factors)
  const { state, isRunning, run, forget } = useTask<'verify'>()
  const [chosen, setChosen] = useState<string>()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0]
  if (factor === undefined) return null
  const verify = async () => {
    const digits = code.replaceAll(/\s/g, '')
    const isCode = /^\d{6}$/.test(digits)
    setError(isCode ? undefined : 'A code has six digits.')
    if (!isCode) return
    const answer = await run('verify', client =>
      callAuth(client, auth => auth.mfa.challengeAndVerify({ factorId: factor.id, code: digits })),
    )
    if (answer === undefined) return
    reload()
    notify({
      tone: 'ok',
      title: 'Your second factor is confirmed',
      detail: 'This session is at aal2 from now on.',
    })
  }
  return (
    <Card title="Confirm your second factor">
      <p className={styles.text}>
        This session has one factor (aal1). Policies may ask for two, and so does changing your password, your
        address or your factors.
      </p>
      <form
        className={styles.row}
        aria-label="Second factor"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void verify()
        }}
      >
        {factors.length > 1 ? (
          <Select
            label="Factor"
            options={factors.map(each => ({ id: each.id, label: factorName(each) }))}
            value={factor.id}
            onChange={setChosen}
          />
        ) : null}
        <div className={styles.inline}>
          <TextField
            label="Code"
            labelNote={factorName(factor)}
            mono
            autoComplete="one-time-code"
            inputMode="numeric"
            value={code}
            onChange={text => {
              setCode(text)
              setError(undefined)
              forget()
            }}
            error={error}
          />
          <Button type="submit" variant="primary" isPending={isRunning()}>
            Confirm
          </Button>
        </div>
        <TaskRefusal state={state} />
      </form>
    </Card>
  )
}
