// Stores drafts: input immediately, saves of many rows with a short delay.
import type { DraftStorage } from './draft-storage.ts'
import { toDrafts } from './drafts.ts'
import type { Edits } from './edits.ts'

/** A paste into many rows saves them one by one; without a delay each save would store all the rest again. */
const KEEP_AFTER = 300

export class DraftAutosave {
  readonly #storage: DraftStorage
  readonly #onKept: (isKept: boolean) => void
  #edits: Edits = []
  #kept = 0
  #soon: ReturnType<typeof setTimeout> | undefined

  /** @param onKept receives whether there was room */
  constructor(storage: DraftStorage, onKept: (isKept: boolean) => void) {
    this.#storage = storage
    this.#onKept = onKept
  }

  readonly save = (edits: Edits): void => {
    this.#edits = edits
    if (edits.length === 0 || edits.length >= this.#kept) this.#keep()
    else this.#soon ??= setTimeout(() => this.#keep(), KEEP_AFTER)
  }

  #keep() {
    clearTimeout(this.#soon)
    this.#soon = undefined
    this.#kept = this.#edits.length
    this.#onKept(this.#storage.save(toDrafts(this.#edits)))
  }
}
