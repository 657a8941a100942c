// The second factors of an account: list, set up, remove.
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { Chip } from '../../../widgets/pill.tsx'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { EnrolForm, useEnrolment } from './enrol-form.tsx'
import { callAuth, factorName, factorType } from '../../../../services/workbench/auth/index.ts'
import { momentWords } from '../moments.ts'
import { RemoveDialog } from '../task/remove-dialog.tsx'
import { useUser, type Factor } from '../user/use-user.ts'
import { focusNow } from '../../hooks.ts'

interface RemoveProps {
  readonly factor: Factor
  readonly needsStepUp: boolean
  readonly onClose: () => void
}

function RemoveFactor({ factor, needsStepUp, onClose }: RemoveProps) {
  const { auth } = useClient()
  const { reload } = useUser()
  return (
    <RemoveDialog
      name={factorName(factor)}
      isDisabled={needsStepUp}
      send={client => callAuth(client, auth => auth.mfa.unenroll({ factorId: factor.id }))}
      onRemoved={() => {
        reload()
        // The token still reports the factor as verified.
        void auth.refresh()
      }}
      onClose={onClose}
    >
      {needsStepUp
        ? 'Verify your second factor first: a session with a single factor is not allowed to remove it.'
        : factor.status === 'verified'
          ? 'Signing in no longer asks for its codes, and its key in your app becomes useless.'
          : 'It was never verified, so nothing depends on it.'}
    </RemoveDialog>
  )
}

function Row({ factor, onRemove }: { readonly factor: Factor; readonly onRemove: () => void }) {
  const isVerified = factor.status === 'verified'
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <span>
          {factorName(factor)}{' '}
          <Chip tone={isVerified ? 'ok' : 'pending'} pending={!isVerified}>
            {isVerified ? 'verified' : 'unfinished'}
          </Chip>
        </span>
        <span className={styles.faint}>
          {factorType(factor)} · since {momentWords(factor.created_at)}
        </span>
      </span>
      <IconButton label={`Remove ${factorName(factor)}`} onPress={onRemove}>
        <Trash2 size={15} />
      </IconButton>
    </li>
  )
}

/** @param props.isRaised the session is at aal2. */
export function FactorsCard({ isRaised }: { readonly isRaised: boolean }) {
  const { user } = useUser()
  const view = useEnrolment()
  const [removing, setRemoving] = useState<Factor>()
  const [wasOpened, setOpened] = useState(false)
  if (view.state.at !== 'closed' && !wasOpened) setOpened(true)
  if (user === undefined) return null
  const factors = user.factors ?? []
  const hasVerified = factors.some(({ status }) => status === 'verified')
  const isBlocked = hasVerified && !isRaised
  return (
    <Card title="Second factors">
      <p className={styles.text}>Require a code from an authenticator app when signing in.</p>
      {factors.length === 0 ? null : (
        <ul className={styles.list} aria-label="Second factors">
          {factors.map(factor => (
            <Row key={factor.id} factor={factor} onRemove={() => setRemoving(factor)} />
          ))}
        </ul>
      )}
      {view.state.at === 'closed' ? (
        <div className={styles.actions}>
          <Button
            icon={<Plus size={14} aria-hidden />}
            {...(wasOpened && { ref: focusNow })}
            isDisabled={isBlocked || user.is_anonymous === true}
            onPress={view.open}
          >
            Set up an authenticator app
          </Button>
          {isBlocked ? <span className={styles.faint}>Verify your existing factor first.</span> : null}
          {user.is_anonymous === true ? (
            <span className={styles.faint}>Guests have to add an email first.</span>
          ) : null}
        </div>
      ) : (
        <EnrolForm view={view} />
      )}
      {removing === undefined ? null : (
        <RemoveFactor
          factor={removing}
          needsStepUp={removing.status === 'verified' && !isRaised}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  )
}
