// One access review of the workbench: its job, the accounts it sends as, and what it found so far.
import { Listeners } from '../../../trace/index.ts'
import { type AccessAccount, AccessReview, type Catalog, type Review, type Send } from '../../access/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { RequestError } from '../../runtime/index.ts'
import type { AccountClient } from '../accounts/accounts.ts'
import {
  type AccessReviewJob,
  type AccessReviewState,
  accessReviewState,
  createAccessReview,
} from '../jobs/create-access-review.ts'
import { userOf } from '../storage/by-client.ts'
import { type CatalogSource, loadCatalog } from './load-catalog.ts'

/** An account whose access is reviewed. */
export interface Reviewer {
  /** For `clientOf`. */
  readonly id: string
  readonly name: string
  /** Undefined for the anonymous role. */
  readonly userId: string | undefined
}

export interface AccessRunOptions {
  readonly reviewers: readonly Reviewer[]
  readonly clientOf: (id: string) => AccountClient
  readonly source: CatalogSource
}

export interface AccessRunSnapshot extends AccessReviewState {
  readonly review: Review | undefined
  readonly catalog: Catalog | undefined
  /** What the current step is about. */
  readonly label: string | undefined
}

const ANOTHER_USER = {
  kind: 'auth',
  code: 'not_signed_in',
  message: 'An account is no longer signed in. Add it again, then start a new review.',
} as const

/** Accounts with the same name get a number, as results are found by it. */
function accountsOf(reviewers: readonly Reviewer[]): readonly AccessAccount[] {
  const counts = new Map<string, number>()
  return reviewers.map(({ name, userId }) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { name: count === 1 ? name : `${name} (${count})`, userId }
  })
}

export class AccessRun {
  /** For a console. */
  readonly job: AccessReviewJob
  readonly #listeners = new Listeners()
  readonly #options: AccessRunOptions
  readonly #accounts: readonly AccessAccount[]
  #catalog: Catalog | undefined
  #review: AccessReview | undefined
  #snapshot: AccessRunSnapshot

  constructor(options: AccessRunOptions) {
    this.#options = options
    this.#accounts = accountsOf(options.reviewers)
    this.job = createAccessReview(this.#step)
    this.#snapshot = this.#snapshotNow()
    this.job.actor.subscribe(() => {
      this.#snapshot = this.#snapshotNow()
      this.#listeners.notify()
    })
  }

  readonly subscribe = this.#listeners.subscribe

  readonly snapshot = (): AccessRunSnapshot => this.#snapshot

  readonly cancel = (): void => this.job.actor.send({ type: 'review.cancel' })

  readonly retry = (): void => this.job.actor.send({ type: 'review.retry' })

  readonly stop = (): void => void this.job.actor.stop()

  /** The first step loads the catalog, from which the other steps follow. */
  readonly #step = async (signal: AbortSignal) => {
    if (this.#review === undefined) {
      const catalog = await loadCatalog(this.#options.source, signal)
      this.#catalog = catalog
      this.#review = new AccessReview({ accounts: this.#accounts, catalog, send: this.#send })
    } else {
      await this.#review.next(signal)
    }
    return { done: this.#review.done, total: this.#review.total }
  }

  readonly #send: Send = async (account, { method, path, headers, body }, signal) => {
    const reviewer = this.#options.reviewers[this.#accounts.indexOf(account)]
    if (reviewer === undefined) throw new Error(`No account ${account.name} to review.`)
    const { client, fetch } = this.#options.clientOf(reviewer.id)
    const response = await fetch(path, {
      method,
      headers,
      signal,
      // The browser would answer from what another account has read.
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    this.#assertSameUser(client, reviewer)
    return { status: response.status, text, header: name => response.headers.get(name) }
  }

  /** The slot may get another user during the review. */
  #assertSameUser(client: ChartroomClient, { userId }: Reviewer): void {
    if (userId !== undefined && userOf(client) !== userId) throw new RequestError(ANOTHER_USER)
  }

  #snapshotNow(): AccessRunSnapshot {
    return {
      ...accessReviewState(this.job.actor.getSnapshot()),
      review: this.#review?.result(),
      catalog: this.#catalog,
      label: this.#review?.label,
    }
  }
}
