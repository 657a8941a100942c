// Runs a call of a function: the machine with its ports, which the page of functions provides; recorded on its own.
import { fromCallback, type EventObject, type NonReducibleUnknown, type SnapshotFrom } from 'xstate'
import { bug } from '../../machines/failure.ts'
import {
  functionCallMachine,
  type CallEvent,
  type FunctionCallContext,
  type FunctionCallEvent,
  type FunctionCallInput,
  type LineEvent,
  type LineTimes,
} from '../../machines/function-call.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

export interface FunctionCallOptions extends FunctionCallInput {
  /** Sends it and tells how it goes; headers and bodies stay with who calls. Over when the signal aborts. */
  readonly call: (tell: (event: CallEvent) => void, signal: AbortSignal) => Promise<void>
  /** Tells what the browser measured. @returns what ends that. */
  readonly watch: (tell: (line: LineTimes) => void) => () => void
}

export type FunctionCallPhase = 'sending' | 'receiving' | 'done' | 'failed' | 'stopped'

/** Where a call is. */
export interface FunctionCallState extends FunctionCallContext {
  readonly phase: FunctionCallPhase
}

export type FunctionCall = Transfer<FunctionCallState, FunctionCallEvent, typeof functionCallMachine>

/** Sends it. */
export function createFunctionCall({ call, watch, ...input }: FunctionCallOptions): FunctionCall {
  const callFunction = fromCallback<EventObject, NonReducibleUnknown, CallEvent>(({ sendBack }) => {
    const leaving = new AbortController()
    const tell = (event: CallEvent) => {
      if (!leaving.signal.aborted) sendBack(event)
    }
    call(tell, leaving.signal).catch((error: unknown) => tell({ type: 'port.broken', failure: bug(error) }))
    return () => leaving.abort()
  })
  const watchLine = fromCallback<EventObject, NonReducibleUnknown, LineEvent>(({ sendBack }) =>
    watch(line => sendBack({ type: 'line.measured', line })),
  )
  return beginTransfer('functionCall', functionCallMachine.provide({ actors: { callFunction, watchLine } }), {
    input,
    look: ({ value, context }) => ({ ...context, phase: phaseOf(value) }),
  })
}

type Value = SnapshotFrom<typeof functionCallMachine>['value']

/** What the browser measures afterwards changes nothing for who called. */
function phaseOf(value: Value): FunctionCallPhase {
  if (typeof value === 'string') return value
  return value.watched === 'measuring' ? 'done' : value.watched.calling
}
