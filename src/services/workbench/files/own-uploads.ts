// The uploads of one user: other users neither see nor send them, and uploads interrupted by a lost session
// resume later.
import type { NewUpload, UploadsApi, UploadStatus } from '../../client/index.ts'
import { isOver } from './uploads.ts'

export interface OwnUploadsOptions {
  readonly uploads: UploadsApi
  /** Whether their user is signed in. */
  readonly isTheirs: () => boolean
  /** Subscribes to changes of that. */
  readonly onUser: (listener: () => void) => void
}

/** Error codes left by a session that ended, in any upload phase. */
const BROKEN_OFF: ReadonlySet<string | undefined> = new Set(['signed_out', 'session_ended', 'not_signed_in'])

const isBrokenOff = ({ phase, failure }: UploadStatus): boolean =>
  phase === 'failed' && BROKEN_OFF.has(failure?.code)

export class OwnUploads {
  readonly #uploads: UploadsApi
  readonly #ids = new Set<string>()
  /** Uploads that wait only for their user. */
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

  /** The same array until a change. */
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
