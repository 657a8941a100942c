// The sign-in methods of an account: list, add, remove.
import { Link2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import {
  callAuth,
  here,
  type OAuthProvider,
  providerName,
} from '../../../../services/workbench/auth/index.ts'
import { useHostSettings } from '../../auth/use-host-settings.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { momentWords } from '../moments.ts'
import { RemoveDialog } from '../task/remove-dialog.tsx'
import { TaskRefusal, useTask } from '../task/use-task.tsx'
import { useUser, type Identity } from './use-user.ts'

const addressOf = ({ identity_data }: Identity): string => {
  const data: Readonly<Record<string, unknown>> = identity_data ?? {}
  const names = [data['email'], data['phone'], data['user_name'], data['name']]
  return names.find(value => typeof value === 'string' && value !== '')?.toString() ?? ''
}

function UnlinkDialog({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) {
  const { reload } = useUser()
  const name = providerName(identity.provider)
  return (
    <RemoveDialog
      name={name}
      send={client => callAuth(client, auth => auth.unlinkIdentity(identity))}
      onRemoved={reload}
      onClose={onClose}
    >
      {addressOf(identity) || 'It'} can no longer sign in to this account through {name}. Your account at{' '}
      {name} is not affected.
    </RemoveDialog>
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
      <p className={styles.faint}>Each opens the provider’s page and returns here.</p>
    </>
  )
}

/** Renders nothing until the user data is loaded. */
export function IdentitiesCard() {
  const { user } = useUser()
  const [unlinking, setUnlinking] = useState<Identity>()
  if (user === undefined) return null
  const identities = user.identities ?? []
  return (
    <Card title="Sign-in methods">
      {identities.length === 0 ? (
        <p className={styles.text}>None: this account exists only in this browser.</p>
      ) : (
        <ul className={styles.list} aria-label="Sign-in methods">
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
                label={`Remove ${providerName(identity.provider)}`}
                isDisabled={identities.length < 2}
                onPress={() => setUnlinking(identity)}
              >
                <Unlink size={15} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {identities.length === 1 ? <p className={styles.faint}>You need at least one sign-in method.</p> : null}
      <Add linked={identities.map(({ provider }) => provider)} />
      {unlinking === undefined ? null : (
        <UnlinkDialog identity={unlinking} onClose={() => setUnlinking(undefined)} />
      )}
    </Card>
  )
}
