// Runs automatic retries: the machine, with its own recording, and the callbacks.
import { retriesMachine } from '../../../machines/workbench/retries.ts'
import { attachedRecording, type AttachedRecording, recordUnwritten } from '../../recording/index.ts'
import { workbenchSystem } from '../systems/workbench-system.ts'

export interface Retries {
  /**
   * Calls `retry` once, after a while.
   * @param what name in the recording
   * @returns a function that cancels the retry
   */
  readonly add: (what: string, retry: () => void) => () => void
  /** Calls all callbacks immediately, because the device is online again. */
  readonly flush: () => void
  /** For a console. */
  readonly recording: AttachedRecording
}

export function createRetries(): Retries {
  const unwritten = recordUnwritten(retriesMachine, { system: workbenchSystem('retries') })
  const { actor } = unwritten
  const pending = new Map<number, () => void>()
  let next = 1
  actor.on('retry.requested', ({ id }) => {
    const retry = pending.get(id)
    pending.delete(id)
    retry?.()
  })
  actor.start()
  return {
    add: (what, retry) => {
      const id = next++
      pending.set(id, retry)
      actor.send({ type: 'retry.add', id, what })
      return () => {
        if (pending.delete(id)) actor.send({ type: 'retry.cancel', id })
      }
    },
    flush: () => {
      if (pending.size > 0) actor.send({ type: 'retries.flush' })
    },
    recording: attachedRecording(unwritten),
  }
}
