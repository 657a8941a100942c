// Runs a single port under a parent that records its events.
import { onTestFinished } from 'vitest'
import { createActor, sendTo, setup, type AnyActorLogic, type AnyEventObject } from 'xstate'

export interface PortRun {
  /** Every event so far. */
  readonly events: readonly AnyEventObject[]
  send(event: AnyEventObject): void
  stop(): void
}

/** Starts the port; it is stopped automatically when the test is over. */
export function runPort(logic: AnyActorLogic, input?: unknown): PortRun {
  const events: AnyEventObject[] = []
  const parent = createActor(
    setup({ actors: { port: logic } }).createMachine({
      invoke: { id: 'port', src: 'port', input: input as never },
      on: {
        'to.port': { actions: sendTo('port', ({ event }) => event['event'] as AnyEventObject) },
        '*': { actions: ({ event }) => events.push(event) },
      },
    }),
  )
  parent.start()
  onTestFinished(() => void parent.stop())
  return {
    events,
    send: event => parent.send({ type: 'to.port', event }),
    stop: () => void parent.stop(),
  }
}
