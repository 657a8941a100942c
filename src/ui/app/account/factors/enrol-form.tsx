// The setup of an authenticator app: its form (name, QR code or key, first code), its state chart and the calls.
import { useMemo, useReducer, useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { usePromise } from '../../../widgets/use-promise.ts'
import { FailureNotice, useWaiting } from '../../auth/failure-notice.tsx'
import styles from '../account.module.css'
import { checkDigits } from '../task/rows.tsx'
import {
  type NewFactor,
  enrolApp,
  enrolment,
  type Enrolment,
} from '../../../../services/workbench/accounts/index.ts'
import { Skeleton } from '../../../widgets/state.tsx'
import { useClient } from '../../../react/index.ts'
import { callAuth, explainAuthFailure } from '../../../../services/workbench/auth/index.ts'
import { notify } from '../../shell/notify.ts'
import { useUser } from '../user/use-user.ts'
import { focusNow } from '../../hooks.ts'

function Naming({ view }: { readonly view: EnrolmentView }) {
  const [name, setName] = useState('')
  const { state } = view
  const refused = state.at === 'naming' ? state.refused : undefined
  const isWaiting = useWaiting(refused?.waitUntil)
  return (
    <Form
      className={styles.row}
      aria-label="New authenticator app"
      onSubmit={() => {
        if (state.at === 'naming' && !isWaiting) view.enrol(name.trim() || 'Authenticator app')
      }}
    >
      <TextField
        label="Name"
        inputRef={focusNow}
        value={name}
        onChange={setName}
        placeholder="Authenticator app"
        hint="Helps you recognize it later, such as the name of your phone."
      />
      {refused === undefined ? null : <FailureNotice {...refused} />}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={state.at === 'enrolling'} isDisabled={isWaiting}>
          Continue
        </Button>
        <Button variant="quiet" isDisabled={state.at === 'enrolling'} onPress={view.close}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

function Secret({ factor }: { readonly factor: NewFactor }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className={styles.actions}>
      <Button size="s" variant="quiet" aria-expanded={isShown} onPress={() => setShown(!isShown)}>
        {isShown ? 'Hide key' : 'Can’t scan? Show key'}
      </Button>
      {isShown ? <code className={styles.secret}>{factor.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code> : null}
    </div>
  )
}

interface ScanningProps {
  readonly view: EnrolmentView
  readonly factor: NewFactor
}

function Scanning({ view, factor }: ScanningProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { state } = view
  const refused = state.at === 'scanning' ? state.refused : undefined
  const isWaiting = useWaiting(refused?.waitUntil)
  return (
    <Form
      className={styles.row}
      aria-label="First code"
      onSubmit={() => {
        const digits = code.replaceAll(/\s/g, '')
        const wrong = checkDigits(digits)
        setError(wrong)
        if (wrong === undefined && !isWaiting) view.verify(digits)
      }}
    >
      <p className={styles.text}>
        Scan this with an authenticator app, then enter the six digits that it shows.
      </p>
      <QrCode text={factor.uri} />
      <Secret factor={factor} />
      <TextField
        label="6-digit code"
        inputRef={focusNow}
        mono
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={text => {
          setCode(text)
          setError(undefined)
        }}
        error={error}
      />
      {refused === undefined ? null : <FailureNotice {...refused} />}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={state.at === 'verifying'} isDisabled={isWaiting}>
          Verify
        </Button>
        <Button variant="quiet" isDisabled={state.at === 'verifying'} onPress={view.close}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** Renders nothing unless a factor is being set up. */
export function EnrolForm({ view }: { readonly view: EnrolmentView }) {
  const { state } = view
  switch (state.at) {
    case 'closed':
      return null
    case 'naming':
    case 'enrolling':
      return <Naming view={view} />
    case 'scanning':
    case 'verifying':
      return <Scanning view={view} factor={state.factor} />
  }
}

/** Dark on light in both themes, as cameras expect. */
function QrCode({ text }: { readonly text: string }) {
  const drawing = useMemo(
    () =>
      import('../../../../services/workbench/accounts/qr-path.ts').then(
        ({ qrPath }) => qrPath(text),
        () => 'failed' as const,
      ),
    [text],
  )
  const qr = usePromise(drawing)
  if (qr === undefined) return <Skeleton rows={4} label="Drawing the QR code" />
  if (qr === 'failed')
    return <p className={styles.text}>The QR code could not be drawn. Enter the key below by hand.</p>
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${qr.size} ${qr.size}`}
      shapeRendering="crispEdges"
      className={styles.qr}
    >
      <rect width={qr.size} height={qr.size} fill="white" />
      <path d={qr.path} fill="black" />
    </svg>
  )
}

export interface EnrolmentView {
  readonly state: Enrolment
  readonly open: () => void
  /** Cancels the setup; an unverified factor is removed again. */
  readonly close: () => void
  readonly enrol: (name: string) => void
  readonly verify: (code: string) => void
}

export const useEnrolment = (): EnrolmentView => {
  const client = useClient()
  const { reload } = useUser()
  const [state, dispatch] = useReducer(enrolment, { at: 'closed' })

  const enrol = async (friendlyName: string) => {
    dispatch({ type: 'enrol.start' })
    const called = await enrolApp(client, friendlyName)
    if (!called.ok) return dispatch({ type: 'task.refused', failure: called.failure, at: client.now() })
    const { id, totp } = called.value
    dispatch({ type: 'enrol.done', factor: { id, name: friendlyName, uri: totp.uri, secret: totp.secret } })
  }
  const verify = async (factorId: string, code: string) => {
    dispatch({ type: 'verify.start' })
    const called = await callAuth(client, auth => auth.mfa.challengeAndVerify({ factorId, code }))
    if (!called.ok) return dispatch({ type: 'task.refused', failure: called.failure, at: client.now() })
    dispatch({ type: 'verify.done' })
    reload()
    notify({
      tone: 'ok',
      title: 'Second factor set up',
      detail: 'This session is verified; others were signed out.',
    })
  }
  const abandon = async (factorId: string) => {
    const called = await callAuth(client, auth => auth.mfa.unenroll({ factorId }))
    if (!called.ok)
      notify({
        tone: 'fail',
        title: 'The unfinished factor is still listed',
        detail: explainAuthFailure(called.failure),
      })
    reload()
  }
  return {
    state,
    open: () => dispatch({ type: 'enrolment.open' }),
    close: () => {
      if (state.at === 'scanning') void abandon(state.factor.id)
      dispatch({ type: 'enrolment.close' })
    },
    enrol: name => void enrol(name),
    verify: code => {
      if (state.at === 'scanning') void verify(state.factor.id, code)
    },
  }
}
