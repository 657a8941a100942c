// Deletions of one table by one user: sent when the while to take them back is over, whatever page is open then.
import type { RestAnswer } from '../rest.ts'
import type { DataFailure } from '../rest-failure.ts'
import type { Row } from '../schema.ts'
import { deletionsReducer, UNDO_MS, type Deletion, type DeletionsEvent } from './deletions.ts'
import { ROWS_AT_ONCE } from './send.ts'

/** How rows are deleted, as the page knows the table now. */
export interface DeletionsSender {
  readonly send: (rows: readonly Row[]) => Promise<RestAnswer>
  readonly onGone: (keys: ReadonlySet<string>) => void
  /** Some were deleted, or none of them. */
  readonly onEnd: () => void
}

export interface DeletionsDeskOptions {
  /** Whether it is the desk's user who is signed in: nothing is deleted in another's name. */
  readonly isTheirs: () => boolean
  /** Nobody sees the table that it failed in. */
  readonly onUnseen: (failed: Deletion, failure: DataFailure) => void
}

const PARTLY = 'Some of the rows were not deleted: a row policy forbids it, or they are gone already.'
const NONE = 'Nothing was deleted: a row policy forbids it, or the row is gone already.'
const LEFT = 'You were signed out before it was sent.'

const refused = (message: string): DataFailure => ({ message, retry: false })

export class DeletionsDesk {
  readonly #options: DeletionsDeskOptions
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>()
  #list: readonly Deletion[] = []
  #next = 1
  #sender: DeletionsSender | undefined

  constructor(options: DeletionsDeskOptions) {
    this.#options = options
  }

  readonly list = (): readonly Deletion[] => this.#list

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The last one that was given sends, also when its page is not open any more. */
  readonly sendBy = (sender: DeletionsSender): void => {
    this.#sender = sender
  }

  /** @returns the order's number, by which it can be taken back. */
  readonly order = (rows: ReadonlyMap<string, Row>): number => {
    const id = this.#next++
    this.#dispatch({ type: 'deletion.ordered', id, rows })
    this.#timers.set(
      id,
      setTimeout(() => this.send(id), UNDO_MS),
    )
    return id
  }

  /** Takes it back, or gives it up. */
  readonly undo = (id: number): void => {
    this.#forgetTimer(id)
    this.#dispatch({ type: 'deletion.dropped', id })
  }

  /** At once, and once more where it was refused. */
  readonly send = (id: number): void => {
    this.#forgetTimer(id)
    const ordered = this.#list.find(each => each.id === id)
    if (ordered === undefined || ordered.state.at === 'sending') return
    this.#dispatch({ type: 'deletion.sent', id })
    void this.#deleteAll(ordered).then(failure => {
      this.#dispatch(
        failure === undefined ? { type: 'deletion.done', id } : { type: 'deletion.failed', id, failure },
      )
      this.#sender?.onEnd()
      if (failure !== undefined && this.#listeners.size === 0) this.#options.onUnseen(ordered, failure)
    })
  }

  async #deleteAll({ rows }: Deletion): Promise<DataFailure | undefined> {
    const all = [...rows.values()]
    let gone = 0
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      const sender = this.#sender
      if (sender === undefined || !this.#options.isTheirs()) return refused(LEFT)
      const answer = await sender.send(all.slice(at, at + ROWS_AT_ONCE))
      if (!answer.ok) return answer.failure
      gone += answer.rows.length
    }
    if (gone < all.length) return refused(gone === 0 ? NONE : PARTLY)
    this.#sender?.onGone(new Set(rows.keys()))
    return undefined
  }

  #forgetTimer(id: number) {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  #dispatch(event: DeletionsEvent) {
    this.#list = deletionsReducer(this.#list, event)
    for (const listener of this.#listeners) listener()
  }
}
