// The accounts that are signed in side by side at this backend.
import { LogOut, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { Chip } from '../../../widgets/pill.tsx'
import { accountName, type Account } from '../../accounts/book.ts'
import { useAccounts } from '../../accounts/use-accounts.ts'
import { explainAuthFailure } from '../../auth/explain.ts'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { GuestLeaveDialog } from './guest-leave-dialog.tsx'

function Row({ account }: { readonly account: Account }) {
  const { active, switchTo, signOut } = useAccounts()
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
        <Chip tone="ok">in use</Chip>
      ) : (
        <>
          <Button aria-label={`Work as ${name}`} onPress={() => switchTo(account.id)}>
            Work as
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
      {isAsked ? <GuestLeaveDialog onLeave={() => void leave()} onClose={() => setAsked(false)} /> : null}
    </li>
  )
}

/** Each has a session of its own; tabs of this browser may work as different ones. */
export function AccountsCard() {
  const { list, add } = useAccounts()
  return (
    <Card title="Accounts in this browser">
      <p className={styles.text}>
        Several people, or several roles of yours, signed in side by side. Each tab works as one of them; a
        query can be seen as each of them.
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
