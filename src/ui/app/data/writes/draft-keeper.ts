// Writes drafts down: what is typed at once, that one of many was saved a moment later.
import type { DraftShelf } from './draft-shelf.ts'
import { toDrafts } from './drafts.ts'
import type { Edits } from './edits.ts'

/** After a paste into many rows they are saved one by one, and all that are left would be written each time. */
const KEEP_AFTER = 300

export class DraftKeeper {
  readonly #shelf: DraftShelf
  readonly #onKept: (isKept: boolean) => void
  #edits: Edits = []
  #kept = 0
  #soon: ReturnType<typeof setTimeout> | undefined

  /** @param onKept hears whether there was room */
  constructor(shelf: DraftShelf, onKept: (isKept: boolean) => void) {
    this.#shelf = shelf
    this.#onKept = onKept
  }

  readonly keep = (edits: Edits): void => {
    this.#edits = edits
    if (edits.length === 0 || edits.length >= this.#kept) this.#keep()
    else this.#soon ??= setTimeout(() => this.#keep(), KEEP_AFTER)
  }

  #keep() {
    clearTimeout(this.#soon)
    this.#soon = undefined
    this.#kept = this.#edits.length
    this.#onKept(this.#shelf.keep(toDrafts(this.#edits)))
  }
}
