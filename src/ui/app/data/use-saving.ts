// One write of a dialog: under way, refused or done, also when the dialog was closed before the answer came.
import { useEffect, useRef, useState } from 'react'
import type { FailedCall } from '../failed-call.ts'
import { notify } from '../shell/notify.ts'

export interface SavingOptions {
  /** After a write that worked. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** What the user is told. */
export interface Words {
  readonly done: string
  readonly refused: string
}

/** `save` gives what was refused, for the dialog to show; one that is closed by then is spoken for by a notice. */
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
    outcome: Promise<Refused | undefined>,
    words: Words,
  ): Promise<Refused | undefined> => {
    setPending(true)
    const failure = await outcome
    setPending(false)
    if (failure === undefined) {
      notify({ tone: 'ok', title: words.done })
      onDone()
      // By now another dialog may be open in the place of this one.
      if (isOpen.current) onClose()
    } else if (!isOpen.current) notify({ tone: 'fail', title: words.refused, detail: failure.message })
    return failure
  }
  return { isPending, save }
}
