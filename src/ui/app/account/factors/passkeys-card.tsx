// The passkeys of an account: list, create, remove; hidden without support by the backend and the browser.
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { callAuth, explainAuthFailure, hasPasskeys } from '../../../../services/workbench/auth/index.ts'
import { useHostSettings } from '../../auth/use-host-settings.ts'
import { notify } from '../../shell/notify.ts'
import { Notice } from '../../shell/page.tsx'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { momentWords } from '../moments.ts'
import { RemoveDialog } from '../task/remove-dialog.tsx'
import { TaskRefusal, useTask } from '../task/use-task.tsx'
import { useUser } from '../user/use-user.ts'
import { type Passkey, passkeyName, readPasskeys } from '../../../../services/workbench/accounts/index.ts'
import { useClient } from '../../../react/index.ts'
import { usePageRequest, valueOf } from '../../use-page-request.ts'

function Row({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }) {
  const name = passkeyName(passkey)
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <span>{name}</span>
        <span className={styles.faint}>
          since {momentWords(passkey.created_at)} · used {momentWords(passkey.last_used_at)}
        </span>
      </span>
      <IconButton label={`Remove ${name}`} onPress={onRemove}>
        <Trash2 size={15} />
      </IconButton>
    </li>
  )
}

function Passkeys({ isGuest }: { readonly isGuest: boolean }) {
  const client = useClient()
  const {
    data: list,
    failure,
    reload,
  } = usePageRequest(['passkeys'], async () =>
    readPasskeys(valueOf(await callAuth(client, auth => auth.passkey.list()))),
  )
  const { state, isRunning, run } = useTask<'add'>()
  const [removing, setRemoving] = useState<Passkey>()
  const add = async () => {
    const answer = await run('add', client => callAuth(client, auth => auth.registerPasskey()))
    if (answer === undefined) return
    notify({ tone: 'ok', title: 'Passkey created', detail: 'You can now sign in with it.' })
    reload()
  }
  return (
    <Card title="Passkeys">
      <p className={styles.text}>
        Sign in with your fingerprint, face or a security key instead of a password.
      </p>
      {failure === undefined ? null : <Notice tone="fail">{explainAuthFailure(failure)}</Notice>}
      {list === undefined || list.length === 0 ? null : (
        <ul className={styles.list} aria-label="Passkeys">
          {list.map(passkey => (
            <Row key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </ul>
      )}
      <TaskRefusal state={state} />
      <div className={styles.actions}>
        <Button
          icon={<KeyRound size={14} aria-hidden />}
          isPending={isRunning()}
          isDisabled={isGuest}
          onPress={() => void add()}
        >
          Set up a passkey
        </Button>
        {isGuest ? <span className={styles.faint}>Guests have to add an email first.</span> : null}
      </div>
      {removing === undefined ? null : (
        <RemoveDialog
          name={passkeyName(removing)}
          send={client =>
            callAuth(client, async auth => {
              const { error } = await auth.passkey.delete({ passkeyId: removing.id })
              return { data: true, error }
            })
          }
          onRemoved={reload}
          onClose={() => setRemoving(undefined)}
        >
          It can no longer be used to sign in. The device or password manager that stores it may still offer
          it; remove it there, too.
        </RemoveDialog>
      )}
    </Card>
  )
}

export function PasskeysCard() {
  const { user } = useUser()
  const { settings } = useHostSettings()
  if (user === undefined || settings?.passkeys !== true || !hasPasskeys()) return null
  return <Passkeys isGuest={user.is_anonymous === true} />
}
