// The accounts signed in at the connected backend, for components.
import { createContext, use } from 'react'
import type { Accounts } from '../../../services/workbench/accounts/index.ts'

export const AccountsContext = createContext<Accounts | undefined>(undefined)

/** Returns the accounts. @throws outside of their provider. */
export const useAccounts = (): Accounts => {
  const accounts = use(AccountsContext)
  if (accounts === undefined) throw new Error('useAccounts needs an AccountsProvider above it')
  return accounts
}
