// A dialog's write: pending, refused or done, also when the dialog closes before the response arrives.
import { useEffect, useRef, useState } from 'react'
import type { FailedCall } from '../../../services/workbench/rest/index.ts'
import { notify } from '../shell/notify.ts'

export interface SavingOptions {
  /** Called after a successful write. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** The notices shown to the user. */
export interface Words {
  readonly done: string
  readonly refused: string
}

/** What a successful write adds to its notice. */
export interface SavedWith {
  readonly note: string
}

/**
 * `save` returns the failure for the dialog to show; if the dialog is already closed, a notice reports it.
 */
export const useSaving = ({ onDone, onClose }: SavingOptions) => {
  const [isPending, setPending] = useState(false)
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const save = async <Refused extends FailedCall>(
    outcome: Promise<Refused | SavedWith | undefined>,
    words: Words,
  ): Promise<Refused | undefined> => {
    setPending(true)
    const ended = await outcome
    setPending(false)
    const note = ended !== undefined && 'note' in ended ? ended.note : undefined
    const failure = ended === undefined || 'note' in ended ? undefined : ended
    if (failure === undefined) {
      notify({ tone: 'ok', title: words.done, ...(note !== undefined && { detail: note }) })
      onDone()
      // Another dialog may be open by now.
      if (isOpen.current) onClose()
    } else if (!isOpen.current) notify({ tone: 'fail', title: words.refused, detail: failure.message })
    return failure
  }
  return { isPending, save }
}
