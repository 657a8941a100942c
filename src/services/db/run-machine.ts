// Runs a machine, recorded if the app wants it.
import { type Actor, type AnyStateMachine, createActor, type InputFrom } from 'xstate'

/**
 * Creates the actor of a machine: `record` of `@chartroom/devtools/recording`, or `attach` of
 * `@chartroom/devtools/console`. It replays under the name `system`.
 */
export type CreateActor = <M extends AnyStateMachine>(
  machine: M,
  options: { readonly input: InputFrom<M>; readonly system: string },
) => { readonly actor: Actor<M>; readonly start?: () => void; readonly stop?: () => void }

export const withoutRecording: CreateActor = (machine, { input }) => ({
  actor: createActor<AnyStateMachine>(machine, { input }) as Actor<typeof machine>,
})

export function runMachine<M extends AnyStateMachine>(
  machine: M,
  input: InputFrom<M>,
  system: string,
  create: CreateActor,
) {
  const { actor, start, stop } = create(machine, { input, system })
  return {
    actor,
    start: start ?? (() => void actor.start()),
    stop: stop ?? (() => void actor.stop()),
  }
}
