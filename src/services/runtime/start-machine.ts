// Starts a machine whose ports are plain functions, for code that doesn't import XState.
import {
  type AnyStateMachine,
  type CallbackActorLogic,
  createActor,
  type EventFromLogic,
  fromCallback,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate'

type Ports<M extends AnyStateMachine> = Required<NonNullable<Parameters<M['provide']>[0]['actors']>>

/** What a port does while its state is active; returns a function that ends it. */
type Effect<P> =
  P extends CallbackActorLogic<infer Receives, infer Input, infer _>
    ? (port: {
        readonly input: Input
        readonly sendBack: (event: P extends { readonly sends?: infer Sends } ? Sends : never) => void
        readonly receive: (listener: (event: Receives) => void) => void
      }) => () => void
    : never

export type Effects<M extends AnyStateMachine> = { readonly [Name in keyof Ports<M>]: Effect<Ports<M>[Name]> }

/** What a started machine offers. */
export interface Started<M extends AnyStateMachine> {
  readonly snapshot: () => SnapshotFrom<M>
  /** Calls back after each event. */
  readonly subscribe: (listener: () => void) => () => void
  /** Ignores events after its end. */
  readonly send: (event: EventFromLogic<M>) => void
  readonly stop: () => void
}

/** @param onEnd called once the machine has reached a final state; not if it is stopped before */
export function startMachine<M extends AnyStateMachine>(
  machine: M,
  effects: Effects<M>,
  input?: InputFrom<M>,
  onEnd?: (snapshot: SnapshotFrom<M>) => void,
): Started<M> {
  const actors = Object.fromEntries(
    Object.entries(effects).map(([name, run]) => [
      name,
      fromCallback(run as Parameters<typeof fromCallback>[0]),
    ]),
  )
  const actor = createActor<AnyStateMachine>(machine.provide({ actors }), { input })
  const snapshot = () => actor.getSnapshot() as SnapshotFrom<M>
  actor.subscribe({
    complete() {
      if (actor.getSnapshot().status === 'done') onEnd?.(snapshot())
    },
  })
  actor.start()
  return {
    snapshot,
    subscribe(listener) {
      const { unsubscribe } = actor.subscribe(listener)
      return unsubscribe
    },
    send(event) {
      if (actor.getSnapshot().status === 'active') actor.send(event)
    },
    stop: () => void actor.stop(),
  }
}
