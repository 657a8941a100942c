// Storage of function calls across reloads: the draft is per tab, the history is shared.
import { safeParse } from 'valibot'
import { readSetting, writeSetting } from '../storage/local-store.ts'
import { readInTab, writeInTab } from '../storage/tab-store.ts'
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
 * A new tab starts with the draft last edited in any tab.
 *
 * @param owner connection and user
 */
export const readCalls = (owner: string, first: Draft): KeptCalls => ({
  draft: draftOfTab(owner) ?? readSetting(nameOf('draft', owner), draftSchema, first),
  history: readSetting(nameOf('history', owner), historySchema, []),
})

/** Stores what changed, without secrets. */
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
