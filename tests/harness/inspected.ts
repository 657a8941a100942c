// Systems recorded by Stately's inspection package and by our recorder at the same time.
import { createInspector } from '@statelyai/inspect'
import type { AnyActorLogic, ActorOptions } from 'xstate'
import { record } from '../../src/services/recording/record.ts'
import { ForeignTrace, type ForeignTraceOptions } from '../../src/trace/foreign/foreign-trace.ts'
import type { TraceSource } from '../../src/trace/format/trace-source.ts'

/** The messages of a run, as transmitted. */
export async function inspectedRun<L extends AnyActorLogic>(
  logic: L,
  onRecorded: (actor: ReturnType<typeof record<L>>['actor']) => void | Promise<void>,
  options: ActorOptions<L> = {},
): Promise<{ messages: string[]; recorded: TraceSource }> {
  const messages: string[] = []
  const { inspect } = createInspector({ send: event => void messages.push(JSON.stringify(event)) })
  const recording = record(logic, { ...options, inspect })
  recording.start()
  await onRecorded(recording.actor)
  // The package writes each message in a separate timer; timers fire in order.
  await new Promise(resolve => setTimeout(resolve, 1))
  return { messages, recorded: recording.trace }
}

/** A trace of the messages. */
export function foreignTrace(
  messages: readonly unknown[],
  options: Partial<ForeignTraceOptions> = {},
): ForeignTrace {
  const trace = new ForeignTrace({ defer: run => run(), ...options })
  for (const message of messages) trace.take(message)
  for (let look = 0; look < 3; look += 1) trace.settle()
  return trace
}

/** One line per step: actor, event, target, and cause. */
export function stepsIn({ steps, actors }: TraceSource): string[] {
  return steps.map(({ actor, event, value, status, by }) =>
    [
      actors[actor]?.path,
      event.type,
      value === undefined ? status : `${JSON.stringify(value)} ${status}`,
      by === undefined ? '' : `by ${by}`,
    ].join(' '),
  )
}
