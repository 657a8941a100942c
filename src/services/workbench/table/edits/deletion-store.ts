// Deletions of one table by one user: sent when the undo period ends, whatever page is open then.
import { Listeners } from '../../../../trace/index.ts'
import type { NonReducibleUnknown } from 'xstate'
import { type DeleteEvent, rowDeletionMachine } from '../../../../machines/index.ts'
import { effect } from '../../../runtime/index.ts'
import { type Job, runJob } from '../../jobs/run-job.ts'
import type { RestResponse } from '../../rest/rest.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Row } from '../schema.ts'
import { ROWS_AT_ONCE } from './send.ts'

export type DeletionState =
  /** Nothing was sent yet. */
  | { readonly at: 'undoable' }
  | { readonly at: 'sending' }
  /** With the id of the request, if one was sent. */
  | { readonly at: 'refused'; readonly failure: DataFailure; readonly request?: string | undefined }

export interface Deletion {
  readonly id: number
  /** Rows by key. */
  readonly rows: ReadonlyMap<string, Row>
  readonly state: DeletionState
}

/** Undo period in ms. */
export const UNDO_MS = 6_000

/** Keys of rows that are being deleted. */
export const leavingKeys = (list: readonly Deletion[]): ReadonlySet<string> =>
  new Set(list.flatMap(({ rows, state }) => (state.at === 'refused' ? [] : [...rows.keys()])))

/** Deletes rows, based on the table as currently known. */
export type DeletionSender = (rows: readonly Row[]) => Promise<RestResponse>

/** Listener of a table's deletions. */
export interface DeletionListener {
  readonly onGone: (keys: ReadonlySet<string>) => void
  /** Called when a deletion ended, whether rows were deleted or not. */
  readonly onEnd: () => void
}

export interface DeletionStoreOptions {
  /** Whether the store's user is signed in: nothing is deleted as another user. */
  readonly isTheirs: () => boolean
  /** Called when a deletion failed while its table is not visible. */
  readonly onUnseen: (failed: Deletion, failure: DataFailure) => void
  /** Called when a deletion starts, to add it to the console. */
  readonly onBegun: (job: RowDeletion, rows: number) => void
  /** Reports whether a deletion is pending: it would be lost with the page. */
  readonly onPending: (isPending: boolean) => void
  /** Called when a deletion can no longer be undone. */
  readonly onLate: (id: number) => void
}

const PARTLY = 'Some rows were not deleted: a row policy forbids it, or they were already deleted.'
const NONE = 'Nothing was deleted: a row policy forbids it, or the row was already deleted.'
const LEFT = 'You were signed out before the request was sent.'

const refused = (message: string, request?: string): Refusal => ({
  failure: { message, retry: false },
  request,
})

interface Refusal {
  readonly failure: DataFailure
  /** Id of the last request sent. */
  readonly request?: string | undefined
}

export type RowDeletion = Job<typeof rowDeletionMachine>

/** A deletion: its rows, its job, and its last failure. */
interface Ordered {
  readonly rows: ReadonlyMap<string, Row>
  readonly job: RowDeletion
  readonly refusal: () => Refusal
}

export class DeletionStore {
  readonly #options: DeletionStoreOptions
  readonly #listeners = new Listeners()
  readonly #jobs = new Map<number, Ordered>()
  #list: readonly Deletion[] = []
  #next = 1
  #sender: DeletionSender | undefined
  readonly #ends = new Set<DeletionListener>()

  constructor(options: DeletionStoreOptions) {
    this.#options = options
  }

  readonly list = (): readonly Deletion[] => this.#list

  readonly subscribe = this.#listeners.subscribe

  /** Sets the sender. The last one stays in use after its page closed. */
  readonly sendBy = (sender: DeletionSender): void => {
    this.#sender = sender
  }

  /** Subscribes to the end of deletions. @returns an unsubscribe function */
  readonly watch = (listener: DeletionListener): (() => void) => {
    this.#ends.add(listener)
    return () => void this.#ends.delete(listener)
  }

  /** @returns the deletion's number, used to undo it. */
  readonly order = (rows: ReadonlyMap<string, Row>): number => {
    const id = this.#next++
    let refusal = refused(NONE)
    const deleteRows = effect<NonReducibleUnknown, DeleteEvent>(async () => {
      const why = await this.#deleteAll(rows)
      refusal = why ?? refusal
      return why ? { type: 'rows.refused', message: why.failure.message } : { type: 'rows.deleted' }
    })
    const machine = rowDeletionMachine.provide({ actors: { deleteRows } })
    const job = runJob('rowDeletion', machine, { rows: rows.size, undo: UNDO_MS })
    this.#jobs.set(id, { rows, job, refusal: () => refusal })
    job.actor.subscribe(() => this.#moved(id))
    this.#options.onBegun(job, rows.size)
    this.#notify()
    return id
  }

  /** Undoes it, or gives up a refused one. */
  readonly undo = (id: number): void => this.#jobs.get(id)?.job.actor.send({ type: 'deletion.cancel' })

  /** Sends immediately, or retries a refused deletion. */
  readonly send = (id: number): void => this.#jobs.get(id)?.job.actor.send({ type: 'deletion.send' })

  #moved(id: number) {
    const ordered = this.#jobs.get(id)
    if (ordered === undefined) return
    const phase = ordered.job.actor.getSnapshot().value
    const isOver = phase === 'done' || phase === 'canceled'
    if (isOver) this.#jobs.delete(id)
    this.#notify()
    if (phase === 'sending') this.#options.onLate(id)
    if (phase === 'done' || phase === 'refused') for (const { onEnd } of this.#ends) onEnd()
    if (phase !== 'refused' || this.#listeners.size > 0) return
    this.#options.onUnseen({ id, rows: ordered.rows, state: stateOf(ordered) }, ordered.refusal().failure)
  }

  async #deleteAll(rows: ReadonlyMap<string, Row>): Promise<Refusal | undefined> {
    const all = [...rows.values()]
    let gone = 0
    let request: string | undefined
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      const sender = this.#sender
      if (sender === undefined || !this.#options.isTheirs()) return refused(LEFT)
      const answer = await sender(all.slice(at, at + ROWS_AT_ONCE))
      if (!answer.ok) return answer
      request = answer.request
      gone += answer.rows.length
    }
    if (gone < all.length) return refused(gone === 0 ? NONE : PARTLY, request)
    for (const { onGone } of this.#ends) onGone(new Set(rows.keys()))
    return undefined
  }

  #notify() {
    this.#list = [...this.#jobs].map(([id, one]) => ({ id, rows: one.rows, state: stateOf(one) }))
    this.#options.onPending(this.#list.some(({ state }) => state.at !== 'refused'))
    this.#listeners.notify()
  }
}

function stateOf({ job, refusal }: Ordered): DeletionState {
  const phase = job.actor.getSnapshot().value
  if (phase === 'refused') return { at: 'refused', failure: refusal().failure, request: refusal().request }
  return { at: phase === 'undoable' ? 'undoable' : 'sending' }
}
