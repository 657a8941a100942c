// On the sign-in page of a project: its first user, and what prevents it from starting.
import { useEffect, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import type { SignIn } from '../auth/auth-page.tsx'
import styles from '../auth/auth.module.css'
import { PasswordField } from '../auth/password-field.tsx'
import { focusNow } from '../hooks.ts'
import layout from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import { useProject } from './use-project.ts'

export interface ProjectEntryProps {
  readonly path: string
  readonly flow: SignIn
  /** Whether this replaces the forms of the page. */
  readonly isShown: boolean
  readonly onShown: (isShown: boolean) => void
}

export function ProjectEntry({ path, flow, isShown, onShown }: ProjectEntryProps) {
  const { project } = useProject(path)
  const [isSkipped, setSkipped] = useState(false)
  const isFirst = project?.hasUsers === false && flow.page === 'password' && !isSkipped
  useEffect(() => onShown(isFirst), [isFirst, onShown])
  const { failure } = project ?? {}
  return (
    <>
      {failure ? (
        <Notice tone="fail">
          <span>
            <strong>
              {failure.file ?? 'The project'}
              {failure.line === null ? '' : `:${failure.line}`}
            </strong>{' '}
            was refused: {failure.message} It is tried again when the file changes.
          </span>
        </Notice>
      ) : null}
      {/* Once the forms are gone: each takes the focus when it appears. */}
      {isFirst && isShown ? <FirstUser path={path} flow={flow} onSkip={() => setSkipped(true)} /> : null}
    </>
  )
}

interface FirstUserProps {
  readonly path: string
  readonly flow: SignIn
  readonly onSkip: () => void
}

const MISSING = { email: 'Enter an email address.', password: 'Enter a password.' }

function FirstUser({ path, flow, onSkip }: FirstUserProps) {
  const { store, isCreatingUser, userFailure } = useProject(path)
  const [account, setAccount] = useState({ email: '', password: '' })
  const [isChecked, setChecked] = useState(false)
  const errorOf = (field: keyof typeof account) =>
    isChecked && account[field].trim() === '' ? MISSING[field] : undefined
  const submit = () => {
    setChecked(true)
    if (account.email.trim() === '' || account.password.trim() === '') return
    store.createUser(account, () => flow.submitAs(account))
  }
  return (
    <Form className={layout.form} aria-label="Create the first user" onSubmit={submit}>
      <p className={styles.faint}>
        This project has no users yet. Create one: it is confirmed at once, and signed in.
      </p>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputRef={focusNow}
        value={account.email}
        onChange={email => setAccount({ ...account, email })}
        error={errorOf('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        value={account.password}
        onChange={password => setAccount({ ...account, password })}
        error={errorOf('password')}
      />
      {userFailure === undefined ? null : <Notice tone="fail">{userFailure}</Notice>}
      <div className={styles.attempt}>
        <Button type="submit" variant="primary" isPending={isCreatingUser}>
          Create user
        </Button>
        <Button variant="quiet" isDisabled={isCreatingUser} onPress={onSkip}>
          Sign in instead
        </Button>
      </div>
    </Form>
  )
}
