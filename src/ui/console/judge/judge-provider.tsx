// Holds what is shown against invariants and assertions, and gives what was found to the views below.
import type { ReactNode } from 'react'
import type { ControlHandle } from '../../../control.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { NO_VERDICTS, VerdictsContext } from './verdicts.ts'

export interface JudgeProviderProps {
  readonly recording: ConsoleRecording
  /** The file that is shown in place of the recording. */
  readonly file: FileTrace | undefined
  /** What drives the system, where it can be driven; it knows the machines. */
  readonly control: Pick<ControlHandle, 'systems'> | undefined
  readonly children: ReactNode
}

export function JudgeProvider({ children }: JudgeProviderProps) {
  return <VerdictsContext value={NO_VERDICTS}>{children}</VerdictsContext>
}
