// The accounts that are signed in side by side at the connected backend, for whoever shows or uses them.
import { createContext, use } from 'react'
import type { ChartroomClient, DataClient, RequestOptions, Result } from '../../../index.ts'
import type { Account } from './book.ts'

/** The data as somebody sees it; a part of every client. */
export interface AccountClient {
  readonly with: (options: RequestOptions) => DataClient<unknown>
  /** As that of the client, with the whole answer. */
  readonly fetch: ChartroomClient['fetch']
  /** In whose recording its requests are. */
  readonly client: ChartroomClient
}

export interface Accounts {
  /** Who is signed in, in the order in which they came. */
  readonly list: readonly Account[]
  /** As whom this tab works; undefined while nobody is signed in here. */
  readonly active: Account | undefined
  /** Opens the sign-in page for one more account; the others stay signed in. */
  readonly add: () => void
  /** Works as another one, by `Account.id`. */
  readonly switchTo: (id: string) => void
  readonly signOut: (id: string, scope?: 'local' | 'global') => Promise<Result<void>>
  /** Calls as somebody else, without working as them: `clientOf(id).with({}).from('log')`. */
  readonly clientOf: (who: string) => AccountClient
}

/** For `clientOf`: with the API key alone. */
export const ANONYMOUS = 'anonymous'

export const AccountsContext = createContext<Accounts | undefined>(undefined)

/** The accounts; only below their provider. */
export const useAccounts = (): Accounts => {
  const accounts = use(AccountsContext)
  if (accounts === undefined) throw new Error('useAccounts needs an AccountsProvider above it')
  return accounts
}
