// The ways in which an account can be signed in to: listed, added, taken away.
import { Link2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { callAuth } from '../../auth/call.ts'
import { here, type OAuthProvider } from '../../auth/submit.ts'
import { useHostSettings } from '../../auth/use-host-settings.ts'
import { providerName } from '../../auth/words.ts'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { momentWords } from '../moments.ts'
import { TaskRefusal } from '../task/task-refusal.tsx'
import { useTask } from '../task/use-task.ts'
import { useUser, type Identity } from './use-user.ts'

const addressOf = ({ identity_data }: Identity): string => {
  const data: Readonly<Record<string, unknown>> = identity_data ?? {}
  const told = [data['email'], data['phone'], data['user_name'], data['name']]
  return told.find(value => typeof value === 'string' && value !== '')?.toString() ?? ''
}

function UnlinkDialog({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) {
  const { reload } = useUser()
  const { state, isRunning, run } = useTask<'unlink'>()
  const name = providerName(identity.provider)
  const unlink = async () => {
    const answer = await run('unlink', client => callAuth(client, auth => auth.unlinkIdentity(identity)))
    if (answer === undefined) return
    onClose()
    reload()
    notify({ tone: 'ok', title: `${name} no longer signs you in` })
  }
  return (
    <Dialog title={`Take ${name} away?`} isOpen onClose={onClose} role="alertdialog">
      <p className={styles.text}>
        From then on {addressOf(identity) || 'it'} does not sign in to this account through {name}. The
        account there is not touched.
      </p>
      <TaskRefusal state={state} />
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="danger" isPending={isRunning()} onPress={() => void unlink()}>
          Take away
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Add({ linked }: { readonly linked: readonly string[] }) {
  const { settings } = useHostSettings()
  const { state, isRunning, run } = useTask<string>()
  const ids = (settings?.providers ?? []).filter(id => !linked.includes(id))
  if (ids.length === 0) return null
  const link = (id: string) =>
    void run(id, client =>
      callAuth(client, auth =>
        auth.linkIdentity({ provider: id as OAuthProvider, options: { redirectTo: here() } }),
      ),
    )
  return (
    <>
      <div className={styles.actions}>
        {ids.map(id => (
          <Button
            key={id}
            icon={<Link2 size={14} aria-hidden />}
            isPending={isRunning(id)}
            isDisabled={isRunning() && !isRunning(id)}
            onPress={() => link(id)}
          >
            Add {providerName(id)}
          </Button>
        ))}
      </div>
      <TaskRefusal state={state} />
      <p className={styles.faint}>Each leads to the provider’s own page and back here.</p>
    </>
  )
}

/** Waits for the user as the server tells it. */
export function IdentitiesCard() {
  const { user } = useUser()
  const [unlinking, setUnlinking] = useState<Identity>()
  if (user === undefined) return null
  const identities = user.identities ?? []
  return (
    <Card title="Ways to sign in">
      {identities.length === 0 ? (
        <p className={styles.text}>There is none: this account is in this browser alone.</p>
      ) : (
        <ul className={styles.list} aria-label="Ways to sign in">
          {identities.map(identity => (
            <li key={identity.identity_id} className={styles.item}>
              <span className={styles.itemText}>
                <span>
                  {providerName(identity.provider)}{' '}
                  <span className={styles.faint}>{addressOf(identity)}</span>
                </span>
                <span className={styles.faint}>
                  since {momentWords(identity.created_at)} · last used {momentWords(identity.last_sign_in_at)}
                </span>
              </span>
              <IconButton
                label={`Take ${providerName(identity.provider)} away`}
                isDisabled={identities.length < 2}
                onPress={() => setUnlinking(identity)}
              >
                <Unlink size={15} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {identities.length === 1 ? (
        <p className={styles.faint}>The last way to sign in can’t be taken away.</p>
      ) : null}
      <Add linked={identities.map(({ provider }) => provider)} />
      {unlinking === undefined ? null : (
        <UnlinkDialog identity={unlinking} onClose={() => setUnlinking(undefined)} />
      )}
    </Card>
  )
}
