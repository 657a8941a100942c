// The accounts that are signed in at this backend in this browser.
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { Chip } from '../../../widgets/pill.tsx'
import { type Account, accountName } from '../../../../services/workbench/accounts/index.ts'
import { useAccounts } from '../../accounts/accounts-provider.tsx'
import { explainAuthFailure } from '../../../../services/workbench/auth/index.ts'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { GuestLeaveDialog } from './leave-card.tsx'

function Row({ account }: { readonly account: Account }) {
  const { active, switchTo, signOut } = useAccounts()
  const navigate = useNavigate()
  const [isLeaving, setLeaving] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const name = accountName(account)
  const leave = async () => {
    setLeaving(true)
    const result = await signOut(account.id)
    setLeaving(false)
    if (!result.ok)
      notify({
        tone: 'fail',
        title: 'Signed out in this browser only',
        detail: explainAuthFailure(result.failure),
      })
  }
  const isActive = account.id === active?.id
  return (
    <li className={styles.item} aria-current={isActive || undefined}>
      <span className={styles.itemText}>
        <span>
          {name} {account.isAnonymous ? <Chip>guest</Chip> : null}
        </span>
      </span>
      {isActive ? (
        <Chip tone="ok">current</Chip>
      ) : (
        <>
          <Button aria-label={`Switch to ${name}`} onPress={() => switchTo(account.id)}>
            Switch
          </Button>
          <IconButton
            label={`Sign ${name} out`}
            isDisabled={isLeaving}
            onPress={() => (account.isAnonymous ? setAsked(true) : void leave())}
          >
            <LogOut size={15} />
          </IconButton>
        </>
      )}
      {isAsked ? (
        <GuestLeaveDialog
          onKeep={() => void navigate({ to: '/account', hash: 'profile' })}
          onLeave={() => void leave()}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </li>
  )
}

/** Each account has its own session; tabs of this browser may use different accounts. */
export function AccountsCard() {
  const { list, add } = useAccounts()
  return (
    <Card title="Accounts in this browser">
      <p className={styles.text}>
        Several users or roles, signed in at the same time. Each tab uses one account; a query can be compared
        across all of them.
      </p>
      <ul className={styles.list} aria-label="Accounts">
        {list.map(account => (
          <Row key={account.id} account={account} />
        ))}
      </ul>
      <div className={styles.actions}>
        <Button icon={<Plus size={14} aria-hidden />} onPress={add}>
          Add an account
        </Button>
      </div>
    </Card>
  )
}
