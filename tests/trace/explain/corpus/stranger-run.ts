// Records a machine of other people on the virtual clock.
import type { AnyActorLogic, AnyEventObject } from 'xstate'
import { record } from '../../../../src/services/recording/index.ts'
import { createVirtualClock } from '../../../../src/testing/virtual-clock.ts'
import type { TraceSource } from '../../../../src/trace/index.ts'
import type { Situation } from './situation.ts'

interface Hands {
  readonly send: (event: AnyEventObject) => void
  readonly stop: () => void
  /** Lets time pass, and promises settle. */
  readonly advance: (ms: number) => Promise<void>
}

const run =
  (logic: AnyActorLogic, play: (hands: Hands) => Promise<void> | void) => async (): Promise<TraceSource> => {
    const clock = createVirtualClock()
    const { actor: root, trace } = record(logic, { clock, system: 'stranger' })
    // Its failures are recorded, and are no errors of the test.
    root.subscribe({ error: () => undefined })
    root.start()
    await play({
      send: event => root.send(event as never),
      stop: () => void root.stop(),
      advance: ms => clock.advanceAsync(ms),
    })
    return trace
  }

/** A situation of a machine of other people. */
export const stranger = (
  name: string,
  logic: AnyActorLogic,
  play: (hands: Hands) => Promise<void> | void,
  question: Situation['question'],
  expected: Situation['expected'],
): Situation => ({ name, record: run(logic, play), question, expected })
