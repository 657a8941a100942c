// What somebody began to write, kept in this tab until it is saved or dropped: a lost session does not take it along.
import { useState } from 'react'
import { readInTab, writeInTab } from './tab-store.ts'

const nameOf = (key: string) => `draft.${key}`

/** The draft, null when there is none, and its setter. Never for a secret. */
export const useDraft = (key: string): readonly [string | null, (text: string | null) => void] => {
  const [draft, setDraft] = useState(() => ({ key, text: readInTab(nameOf(key)) }))
  const present = draft.key === key ? draft.text : readInTab(nameOf(key))
  return [
    present,
    text => {
      writeInTab(nameOf(key), text)
      setDraft({ key, text })
    },
  ]
}
