// Runs a function call: the machine with its ports, which the functions page provides; recorded separately.
import { fromCallback, type EventObject, type NonReducibleUnknown, type SnapshotFrom } from 'xstate'
import {
  bug,
  type CallEvent,
  type FunctionCallContext,
  type FunctionCallEvent,
  type FunctionCallInput,
  functionCallMachine,
  type NetworkEvent,
  type NetworkTimings,
} from '../../../machines/index.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

export interface FunctionCallOptions extends FunctionCallInput {
  /**
   * Sends the call and reports its progress; headers and bodies stay with the caller. Stop when the signal
   * aborts.
   */
  readonly call: (send: (event: CallEvent) => void, signal: AbortSignal) => Promise<void>
  /** Reports the browser's network timings. @returns an unsubscribe function */
  readonly measure: (send: (timings: NetworkTimings) => void) => () => void
}

export type FunctionCallPhase = 'sending' | 'receiving' | 'done' | 'failed' | 'canceled'

/** State of a call. */
export interface FunctionCallState extends FunctionCallContext {
  readonly phase: FunctionCallPhase
}

export type FunctionCall = Transfer<FunctionCallState, FunctionCallEvent, typeof functionCallMachine>

/** Sends the call. */
export function createFunctionCall({ call, measure, ...input }: FunctionCallOptions): FunctionCall {
  const callFunction = fromCallback<EventObject, NonReducibleUnknown, CallEvent>(({ sendBack }) => {
    const aborter = new AbortController()
    const send = (event: CallEvent) => {
      if (!aborter.signal.aborted) sendBack(event)
    }
    call(send, aborter.signal).catch((error: unknown) => send({ type: 'port.broken', failure: bug(error) }))
    return () => aborter.abort()
  })
  const measureNetwork = fromCallback<EventObject, NonReducibleUnknown, NetworkEvent>(({ sendBack }) =>
    measure(timings => sendBack({ type: 'network.measured', timings })),
  )
  return beginTransfer(
    'functionCall',
    functionCallMachine.provide({ actors: { callFunction, measureNetwork } }),
    {
      input,
      look: ({ value, context }) => ({ ...context, phase: phaseOf(value) }),
    },
  )
}

type Value = SnapshotFrom<typeof functionCallMachine>['value']

/** Later browser measurements do not matter to the caller. */
function phaseOf(value: Value): FunctionCallPhase {
  if (typeof value === 'string') return value
  return value.running === 'measuring' ? 'done' : value.running.calling
}
