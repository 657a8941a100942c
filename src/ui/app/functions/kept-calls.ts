// What is kept of the work on functions over a reload: the draft is each tab's own, the history is of all of them.
import { safeParse } from 'valibot'
import { readSetting, writeSetting } from '../local-store.ts'
import { readInTab, writeInTab } from '../tab-store.ts'
import { draftSchema, type Draft } from './call-draft.ts'
import { besideOthers, historySchema, withoutSecrets, type HistoryEntry } from './call-history.ts'

export interface KeptCalls {
  readonly draft: Draft
  readonly history: readonly HistoryEntry[]
}

const nameOf = (what: keyof KeptCalls, owner: string) => `functions.${what}.${owner}`

function draftOfTab(owner: string): Draft | undefined {
  try {
    const read = safeParse(draftSchema, JSON.parse(readInTab(nameOf('draft', owner)) ?? 'null'))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/**
 * A tab that is new begins with what was written last in any other.
 *
 * @param owner of one connection and one user.
 */
export const readCalls = (owner: string, first: Draft): KeptCalls => ({
  draft: draftOfTab(owner) ?? readSetting(nameOf('draft', owner), draftSchema, first),
  history: readSetting(nameOf('history', owner), historySchema, []),
})

/** Writes what is another than before; secrets are left out. */
export function keepCalls(owner: string, before: KeptCalls, now: KeptCalls): void {
  if (now.draft !== before.draft) {
    const draft = withoutSecrets(now.draft)
    writeInTab(nameOf('draft', owner), JSON.stringify(draft))
    writeSetting(nameOf('draft', owner), draft)
  }
  if (now.history === before.history) return
  const stored = readSetting(nameOf('history', owner), historySchema, before.history)
  writeSetting(nameOf('history', owner), besideOthers(stored, before.history, now.history))
}
