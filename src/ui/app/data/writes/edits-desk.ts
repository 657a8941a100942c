// The edits of one table by one user: sent one after another for each row, again after a silence, whatever page is open.
import type { Row } from '../schema.ts'
import { fromDrafts, toDrafts, type Drafts } from './drafts.ts'
import { editsReducer, readyToSend, type Edit, type Edits, type EditsEvent } from './edits.ts'

/** As long as a page waits before it asks again. */
const RETRY_AFTER_MS = 4_000

/** How edits are sent, as the page knows the table now. */
export interface EditsSender {
  readonly send: (edit: Edit) => Promise<EditsEvent>
  /** A row as the server has it since. */
  readonly onSaved: (key: string, row: Row) => void
}

export interface EditsDeskOptions {
  readonly kept: Drafts
  readonly keep: (drafts: Drafts) => void
  /** Whether it is the desk's user who is signed in: nothing goes out in another's name. */
  readonly isTheirs: () => boolean
  /** Calls back when that may have changed. */
  readonly onUser: (listener: () => void) => void
}

export class EditsDesk {
  readonly #options: EditsDeskOptions
  readonly #listeners = new Set<() => void>()
  readonly #sending = new Set<number>()
  #edits: Edits
  #sender: EditsSender | undefined
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(options: EditsDeskOptions) {
    this.#options = options
    this.#edits = fromDrafts(options.kept)
    options.onUser(() => this.#sendReady())
  }

  readonly edits = (): Edits => this.#edits

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The last one that was given sends, also when its page is not open any more. */
  readonly sendBy = (sender: EditsSender): void => {
    this.#sender = sender
    this.#sendReady()
  }

  readonly dispatch = (event: EditsEvent): void => {
    const before = this.#edits
    this.#edits = editsReducer(before, event)
    if (this.#edits === before) return
    // A table that nothing was typed into leaves nothing behind.
    if (before.list.length + this.#edits.list.length > 0) this.#options.keep(toDrafts(this.#edits))
    this.#sendReady()
    this.#planRetry()
    for (const listener of this.#listeners) listener()
  }

  #sendReady() {
    const sender = this.#sender
    if (sender === undefined || !this.#options.isTheirs()) return
    for (const edit of readyToSend(this.#edits)) {
      if (this.#sending.has(edit.id)) continue
      this.#sending.add(edit.id)
      this.dispatch({ type: 'edit.sent', id: edit.id })
      void sender.send(edit).then(event => {
        this.#sending.delete(edit.id)
        if (event.type === 'edit.saved') this.#sender?.onSaved(edit.key, event.row)
        this.dispatch(event)
      })
    }
  }

  #planRetry() {
    const isWaiting = this.#edits.list.some(({ state }) => state.at === 'waiting')
    if (!isWaiting || this.#retry !== undefined) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      for (const { id, state } of this.#edits.list)
        if (state.at === 'waiting') this.dispatch({ type: 'edit.retried', id })
    }, RETRY_AFTER_MS)
  }
}
