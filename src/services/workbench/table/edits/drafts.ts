// Unsaved input, stored in the browser per user: it survives a reload or a lost session.
import { type EventObject, fromCallback, type NonReducibleUnknown } from 'xstate'
import { array, nullable, object, string, type InferOutput } from 'valibot'
import { isAnyKeyOf, byName } from '../../storage/safe-record.ts'
import type { Edits } from './edit-store.ts'
import { draftSavingMachine, type SaveDraftsEvent } from '../../../../machines/workbench/draft-saving.ts'
import { type Job, runJob } from '../../jobs/run-job.ts'
import { type TabLocks, tabPresence } from '../../../client/index.ts'
import { forgetStored, keepSetting, readSetting, settingNames } from '../../storage/local-store.ts'

const valuesSchema = byName(nullable(string()))

export const draftsSchema = object({
  edits: array(object({ key: string(), row: isAnyKeyOf, values: valuesSchema })),
})

export type Drafts = InferOutput<typeof draftsSchema>

export const NO_DRAFTS: Drafts = { edits: [] }

/** The storage name; unique per user. */
export const draftsName = (url: string, user: string, schema: string, table: string): string =>
  `drafts.${url}.${user}.${schema}.${table}`

const toDrafts = (edits: Edits): Drafts => ({
  edits: edits.map(({ key, row, values }) => ({ key, row, values: { ...values } })),
})

/** Restored drafts are never sent automatically: the user decides. */
export const RESTORED = {
  message: 'Restored from before the page closed; it may not have been saved. Retry or discard it.',
  retry: false,
} as const

export interface DraftStorage {
  /** The tab's stored drafts. */
  readonly stored: Drafts
  /** Returns whether storing succeeded. */
  readonly save: (drafts: Drafts) => boolean
  /** Passes on the drafts of a closed tab as soon as it is closed. */
  readonly onLeft: (take: (drafts: Drafts) => void) => void
}

const read = (name: string) => readSetting(name, draftsSchema, NO_DRAFTS)
const forget = (name: string) => forgetStored(key => key === `chartroom.ui.${name}`)

const keepAs = (name: string, drafts: Drafts): boolean => {
  if (drafts.edits.length > 0) return keepSetting(name, drafts)
  forget(name)
  return true
}

/** Without locks (on an insecure page) all tabs share a name, and the last write wins. */
export const createDraftStorage = (name: string, locks: TabLocks | undefined): DraftStorage => {
  if (locks === undefined)
    return { stored: read(name), save: drafts => keepAs(name, drafts), onLeft: () => undefined }
  const { name: tab, whenGone } = tabPresence(locks)
  const ofTab = `${name}#`
  const ownName = ofTab + tab
  /** Another table's name may continue with this separator, too. */
  const otherNames = settingNames().filter(
    name => name.startsWith(ofTab) && name !== ownName && !name.slice(ofTab.length).includes('#'),
  )
  return {
    stored: read(ownName),
    save: drafts => keepAs(ownName, drafts),
    onLeft: take => {
      for (const name of otherNames)
        whenGone(name.slice(ofTab.length), () => {
          const drafts = read(name)
          forget(name)
          take(drafts)
        })
    },
  }
}

export class DraftAutosave {
  readonly #job: Job<typeof draftSavingMachine>
  #edits: Edits = []

  /** @param onKept receives whether there was room */
  constructor(storage: DraftStorage, onKept: (isKept: boolean) => void) {
    const saveDrafts = fromCallback<EventObject, NonReducibleUnknown, SaveDraftsEvent>(({ sendBack }) => {
      const isKept = storage.save(toDrafts(this.#edits))
      onKept(isKept)
      sendBack(isKept ? { type: 'drafts.saved', count: this.#edits.length } : { type: 'drafts.full' })
    })
    this.#job = runJob('draftSaving', draftSavingMachine.provide({ actors: { saveDrafts } }), undefined)
  }

  readonly save = (edits: Edits): void => {
    this.#edits = edits
    this.#job.actor.send({ type: 'drafts.changed', count: edits.length })
  }
}
