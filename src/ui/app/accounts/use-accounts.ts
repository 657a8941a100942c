// The accounts signed in at the connected backend.
import { createContext, use } from 'react'
import type { ChartroomClient, DataClient, RequestOptions, Result } from '../../../public/index.ts'
import type { Account } from '../../../services/workbench/accounts/account-list.ts'

/** Data access as a specific user; a subset of a client. */
export interface AccountClient {
  readonly with: (options: RequestOptions) => DataClient<unknown>
  /** Like the client's `fetch`, with the full response. */
  readonly fetch: ChartroomClient['fetch']
  /** The client whose recording has the requests. */
  readonly client: ChartroomClient
}

export interface Accounts {
  /** Signed-in accounts, oldest first. */
  readonly list: readonly Account[]
  /** This tab's account; undefined while signed out. */
  readonly active: Account | undefined
  /** Opens the sign-in page for one more account; the others stay signed in. */
  readonly add: () => void
  /** Switches to another account, by `Account.id`. */
  readonly switchTo: (id: string) => void
  readonly signOut: (id: string, scope?: 'local' | 'global') => Promise<Result<void>>
  /** Sends requests as another user without switching: `clientOf(id).with({}).from('log')`. */
  readonly clientOf: (who: string) => AccountClient
}

/** For `clientOf`: with the API key only. */
export const ANONYMOUS = 'anonymous'

export const AccountsContext = createContext<Accounts | undefined>(undefined)

/** Returns the accounts. @throws outside of their provider. */
export const useAccounts = (): Accounts => {
  const accounts = use(AccountsContext)
  if (accounts === undefined) throw new Error('useAccounts needs an AccountsProvider above it')
  return accounts
}
