// What can be done with the account from anywhere, for the palette.
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useClient, useStatus } from '../../react.ts'
import { accountName } from '../accounts/book.ts'
import { useAccounts } from '../accounts/use-accounts.ts'
import { useAppCommands, type AppCommand } from '../commands/use-app-commands.ts'

const PLACES = [
  { id: 'session', title: 'Session and access token', words: 'claims jwt expiry sign out' },
  { id: 'profile', title: 'Profile', words: 'email address metadata' },
  { id: 'security', title: 'Security', words: 'password mfa second factor totp identities providers' },
  { id: 'accounts', title: 'Accounts in this browser', words: 'switch people side by side' },
] as const

/** While somebody is signed in. */
export const useAccountCommands = (): void => {
  const router = useRouter()
  const { auth } = useClient()
  const { list, active, add, switchTo } = useAccounts()
  const isIn = useStatus(({ session }) => session.phase === 'authenticated')
  const commands = useMemo<readonly AppCommand[]>(() => {
    const section = 'Account' as const
    if (!isIn) return []
    return [
      ...PLACES.map(({ id, title, words }, rank) => ({
        id: `account.${id}`,
        title,
        section,
        words: `account ${words}`,
        rank,
        run: () => void router.navigate({ to: '/account', hash: id }),
      })),
      ...list
        .filter(({ id }) => id !== active?.id)
        .map(account => ({
          id: `account.as.${account.id}`,
          title: `Work as ${accountName(account)}`,
          section,
          words: 'switch account user',
          rank: 10,
          run: () => switchTo(account.id),
        })),
      {
        id: 'account.add',
        title: 'Sign in with another account',
        section,
        words: 'add user',
        rank: 20,
        run: add,
      },
      {
        id: 'account.refresh',
        title: 'Renew the access token',
        section,
        words: 'refresh jwt',
        rank: 30,
        run: () => void auth.refresh(),
      },
      {
        id: 'account.leave',
        title: 'Sign out',
        section,
        words: 'leave log out',
        rank: 40,
        run: () => void auth.signOut({ scope: 'local' }),
      },
    ]
  }, [router, auth, isIn, list, active, add, switchTo])
  useAppCommands(commands)
}
