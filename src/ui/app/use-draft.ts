// A draft kept in this tab until it is saved or discarded; it survives the loss of the session.
import { useState } from 'react'
import { readInTab, writeInTab } from '../../services/workbench/storage/index.ts'

const nameOf = (key: string) => `draft.${key}`

/** Returns the draft, null if there is none, and its setter. Never for a secret. */
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
