// Account commands for the command palette.
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useClient, useStatus } from '../../react/index.ts'
import { accountName, type Accounts } from '../../../services/workbench/accounts/index.ts'
import type { AuthApi } from '../../../services/client/index.ts'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'

const SECTION = 'Account' as const

const PLACES = [
  { id: 'session', title: 'Session and access token', words: 'claims jwt expiry sign out' },
  { id: 'profile', title: 'Profile', words: 'email address metadata' },
  { id: 'security', title: 'Security', words: 'password mfa second factor totp identities providers' },
  { id: 'accounts', title: 'Accounts in this browser', words: 'switch people side by side' },
] as const

const others = ({ list, active, switchTo, add }: Accounts): readonly AppCommand[] => [
  ...list
    .filter(({ id }) => id !== active?.id)
    .map(account => ({
      id: `account.as.${account.id}`,
      title: `Switch to ${accountName(account)}`,
      section: SECTION,
      words: 'switch account user',
      rank: 10,
      run: () => switchTo(account.id),
    })),
  {
    id: 'account.add',
    title: 'Sign in with another account',
    section: SECTION,
    words: 'add user',
    rank: 20,
    run: add,
  },
]

const own = ({ refresh }: AuthApi, leave: () => void): readonly AppCommand[] => [
  {
    id: 'account.refresh',
    title: 'Refresh the access token',
    section: SECTION,
    words: 'renew jwt',
    rank: 30,
    run: () => void refresh(),
  },
  {
    id: 'account.leave',
    title: 'Sign out',
    section: SECTION,
    words: 'leave log out',
    rank: 40,
    run: leave,
  },
]

/** Registered while a user is signed in. */
export const useAccountCommands = (): void => {
  const router = useRouter()
  const { auth } = useClient()
  const accounts = useAccounts()
  const isIn = useStatus(({ session }) => session.phase === 'authenticated')
  const commands = useMemo<readonly AppCommand[]>(() => {
    if (!isIn) return []
    const places = PLACES.map(({ id, title, words }, rank) => ({
      id: `account.${id}`,
      title,
      section: SECTION,
      words: `account ${words}`,
      rank,
      run: () => void router.navigate({ to: '/account', hash: id }),
    }))
    // A guest could not sign in again, so the page asks first.
    const leave = () =>
      accounts.active?.isAnonymous === true
        ? void router.navigate({ to: '/account', hash: 'session' })
        : void auth.signOut({ scope: 'local' })
    return [...places, ...others(accounts), ...own(auth, leave)]
  }, [router, auth, isIn, accounts])
  useAppCommands(commands)
}
