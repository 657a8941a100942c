// What is kept of the work on functions over a reload, in the browser's storage.
import { readSetting, writeSetting } from '../local-store.ts'
import { draftSchema, type Draft } from './call-draft.ts'
import { historySchema, withoutSecrets, type HistoryEntry } from './call-history.ts'

export interface KeptCalls {
  readonly draft: Draft
  readonly history: readonly HistoryEntry[]
}

const nameOf = (what: keyof KeptCalls, owner: string) => `functions.${what}.${owner}`

/** @param owner of one connection and one user. */
export const readCalls = (owner: string, first: Draft): KeptCalls => ({
  draft: readSetting(nameOf('draft', owner), draftSchema, first),
  history: readSetting(nameOf('history', owner), historySchema, []),
})

/** Writes what is another than before; secrets are left out. */
export function keepCalls(owner: string, before: KeptCalls, now: KeptCalls): void {
  if (now.draft !== before.draft) writeSetting(nameOf('draft', owner), withoutSecrets(now.draft))
  if (now.history !== before.history) writeSetting(nameOf('history', owner), now.history)
}
