// The uploads of one user: nobody else sees them or sends them, and those that a lost session broke off go on later.
import type { NewUpload, UploadsApi, UploadStatus } from '../../../../index.ts'
import { isOver } from './uploads.ts'

export interface OwnUploadsOptions {
  readonly uploads: UploadsApi
  /** Whether it is their user who is signed in. */
  readonly isTheirs: () => boolean
  /** Calls back when that may have changed. */
  readonly onUser: (listener: () => void) => void
}

/** What a session that ends leaves behind, whatever the upload was doing. */
const BROKEN_OFF: ReadonlySet<string | undefined> = new Set(['signed_out', 'session_ended', 'not_signed_in'])

const isBrokenOff = ({ phase, failure }: UploadStatus): boolean =>
  phase === 'failed' && BROKEN_OFF.has(failure?.code)

export class OwnUploads {
  readonly #uploads: UploadsApi
  readonly #ids = new Set<string>()
  /** Those that wait for their user alone. */
  readonly #held = new Set<string>()
  #isHeld = false
  #known: { readonly all: readonly UploadStatus[]; readonly own: readonly UploadStatus[] } | undefined

  constructor({ uploads, isTheirs, onUser }: OwnUploadsOptions) {
    this.#uploads = uploads
    onUser(() => this.#follow(isTheirs()))
  }

  readonly add = async (files: readonly NewUpload[]): Promise<void> => {
    for (const id of await this.#uploads.add(files)) this.#ids.add(id)
    this.#known = undefined
  }

  /** The same array until something changed. */
  readonly list = (): readonly UploadStatus[] => {
    const all = this.#uploads.list()
    if (this.#known?.all !== all) this.#known = { all, own: all.filter(({ id }) => this.#ids.has(id)) }
    return this.#known.own
  }

  #follow(isTheirs: boolean) {
    if (isTheirs !== this.#isHeld) return
    this.#isHeld = !isTheirs
    if (isTheirs) this.#goOn()
    else this.#hold()
  }

  #hold() {
    for (const upload of this.list()) {
      if (isOver(upload) || upload.phase === 'paused') continue
      this.#held.add(upload.id)
      this.#uploads.pause(upload.id)
    }
  }

  #goOn() {
    for (const upload of this.list()) {
      if (isBrokenOff(upload)) this.#uploads.retry(upload.id)
      else if (this.#held.has(upload.id)) this.#uploads.resume(upload.id)
    }
    this.#held.clear()
  }
}
