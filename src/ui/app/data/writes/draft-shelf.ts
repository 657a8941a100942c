// Drafts of one table as the tabs of a browser keep them: each under a name of its own, so that none writes over another's.
import { tabPresence, type TabLocks } from '../../../../transfers.ts'
import { forgetStored, keepSetting, readSetting, settingNames } from '../../local-store.ts'
import { draftsSchema, NO_DRAFTS, type Drafts } from './drafts.ts'

export interface DraftShelf {
  /** What this tab kept before. */
  readonly kept: Drafts
  /** Whether it could. */
  readonly keep: (drafts: Drafts) => boolean
  /** Gives what a tab that is gone left behind, as soon as it is gone. */
  readonly onLeft: (take: (drafts: Drafts) => void) => void
}

const read = (name: string) => readSetting(name, draftsSchema, NO_DRAFTS)
const forget = (name: string) => forgetStored(key => key === `chartroom.ui.${name}`)

const keepAs = (name: string, drafts: Drafts): boolean => {
  if (drafts.edits.length > 0) return keepSetting(name, drafts)
  forget(name)
  return true
}

/** Without locks (on a page that is not secure) all tabs have one name, and the last one is right. */
export const createDraftShelf = (name: string, locks: TabLocks | undefined): DraftShelf => {
  if (locks === undefined)
    return { kept: read(name), keep: drafts => keepAs(name, drafts), onLeft: () => undefined }
  const { name: tab, whenGone } = tabPresence(locks)
  const ofTab = `${name}#`
  const own = ofTab + tab
  /** A table's own name may go on with such a sign, too. */
  const others = settingNames().filter(
    other => other.startsWith(ofTab) && other !== own && !other.slice(ofTab.length).includes('#'),
  )
  return {
    kept: read(own),
    keep: drafts => keepAs(own, drafts),
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
