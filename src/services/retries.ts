// Runs automatic retries: the machine, with its own recording, and the callbacks.
import { retriesMachine } from '../machines/retries.ts'
import { attachedRecording, type AttachedRecording } from './recording/attached-recording.ts'
import { recordUnwritten } from './recording/unwritten-record.ts'
import { workbenchSystem } from './workbench-system.ts'

export interface Retries {
  /**
   * Calls `ask` once, after a while.
   * @param what name in the recording
   * @returns a function that cancels the retry
   */
  readonly add: (what: string, ask: () => void) => () => void
  /** Calls all callbacks immediately, because the device is online again. */
  readonly wake: () => void
  /** For a console. */
  readonly recording: AttachedRecording
}

export function createRetries(): Retries {
  const own = recordUnwritten(retriesMachine, { system: workbenchSystem('retries') })
  const { actor } = own
  const asking = new Map<number, () => void>()
  let next = 1
  actor.on('retry.ask', ({ id }) => {
    const ask = asking.get(id)
    asking.delete(id)
    ask?.()
  })
  actor.start()
  return {
    add: (what, ask) => {
      const id = next++
      asking.set(id, ask)
      actor.send({ type: 'retry.add', id, what })
      return () => {
        if (asking.delete(id)) actor.send({ type: 'retry.drop', id })
      }
    },
    wake: () => {
      if (asking.size > 0) actor.send({ type: 'retries.wake' })
    },
    recording: attachedRecording(own),
  }
}
