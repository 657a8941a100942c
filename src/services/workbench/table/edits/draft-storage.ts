// Drafts of one table across browser tabs: each tab has its own storage name, so tabs do not overwrite each
// other.
import { type TabLocks, tabPresence } from '../../../client/index.ts'
import { forgetStored, keepSetting, readSetting, settingNames } from '../../storage/local-store.ts'
import { draftsSchema, NO_DRAFTS, type Drafts } from './drafts.ts'

export interface DraftStorage {
  /** The tab's stored drafts. */
  readonly kept: Drafts
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
    return { kept: read(name), save: drafts => keepAs(name, drafts), onLeft: () => undefined }
  const { name: tab, whenGone } = tabPresence(locks)
  const ofTab = `${name}#`
  const own = ofTab + tab
  /** Another table's name may continue with this separator, too. */
  const others = settingNames().filter(
    other => other.startsWith(ofTab) && other !== own && !other.slice(ofTab.length).includes('#'),
  )
  return {
    kept: read(own),
    save: drafts => keepAs(own, drafts),
    onLeft: take => {
      for (const other of others)
        whenGone(other.slice(ofTab.length), () => {
          const drafts = read(other)
          forget(other)
          take(drafts)
        })
    },
  }
}
