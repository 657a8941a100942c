// Signing in and signing up, at whatever address the user was going to.
import { useState } from 'react'
import { useStatus } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { useTitle } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import form from '../shell/form.module.css'
import styles from './auth.module.css'
import { CredentialsForm } from './credentials-form.tsx'
import { explainAuthFailure, explainSignedOut } from './explain.ts'

function Reason() {
  const session = useStatus(status => status.session)
  if (session.phase !== 'signedOut') return null
  if (session.linkFailure) return <Notice tone="fail">{explainAuthFailure(session.linkFailure)}</Notice>
  const reason = explainSignedOut(session.reason)
  if (reason === undefined) return null
  return <Notice>{reason}</Notice>
}

/** The signed-out state of the app. */
export function AuthPage() {
  const { active, embedded, dispatch } = useWorkspace()
  const [mode, setMode] = useState<'signIn' | 'signUp'>('signIn')
  const isNew = mode === 'signUp'
  useTitle(isNew ? 'Create an account' : 'Sign in')
  return (
    <div className={form.entry}>
      <div className={form.card}>
        <h1 className={form.title}>{isNew ? 'Create an account' : 'Sign in'}</h1>
        <p className={styles.lead}>
          to <strong>{active?.name}</strong> <span className={styles.url}>{active?.url}</span>
        </p>
        <Reason />
        <CredentialsForm
          mode={mode}
          onSwitch={() => setMode(isNew ? 'signIn' : 'signUp')}
          accounts={active?.embedded === true ? (embedded?.accounts ?? []) : []}
        />
        <p className={styles.foot}>
          <Button variant="quiet" size="s" onPress={() => dispatch({ type: 'connection.left' })}>
            Use another backend
          </Button>
        </p>
      </div>
    </div>
  )
}
