// The accounts signed in at a backend.
import type { ChartroomClient, DataClient, RequestOptions, Result } from '../../client/index.ts'
import type { Account } from './account-list.ts'

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
