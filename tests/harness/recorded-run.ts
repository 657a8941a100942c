// Recorded runs of the whole client on scripted ports and a virtual clock.
import type { ClientCommand, clientMachine } from '../../src/machines/client.ts'
import { DEFAULT_TIMINGS } from '../../src/machines/timings.ts'
import { CLIENT_SYSTEM, composeClient } from '../../src/services/client/compose-client.ts'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import type { ChannelEmitted } from '../../src/machines/realtime/channel-setup.ts'
import { createCommandRouter } from '../../src/services/client/client-core.ts'
import { createRecorder } from '../../src/services/recording/record.ts'
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts'
import { expectInvariants } from './expect-invariants.ts'
import type { Mutant } from './mutants.ts'
import { healthy, scriptedPorts, type Behavior } from './scripted-ports.ts'
import { storm } from './storm.ts'

/** A client that is recorded from its first event; `mutant` breaks one of its machines. */
export function recordedClient(
  behave: (clock: VirtualClock) => Partial<Behavior> = () => ({}),
  seed = 1,
  mutant?: Mutant,
  steps = true,
) {
  const clock = createVirtualClock()
  const { ports } = scriptedPorts(clock, { ...healthy(clock), ...behave(clock) })
  const recorder = createRecorder({
    system: CLIENT_SYSTEM,
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(seed),
    compose: () => {
      const machine = composeClient(ports)
      return mutant ? (mutant(machine) as typeof clientMachine) : machine
    },
    input: { timings: DEFAULT_TIMINGS, seed },
    steps,
  })
  if (!mutant && steps) expectInvariants(recorder.trace, { timerLag: 0 })
  const received: ChannelEmitted[] = []
  const deliver = createCommandRouter(emitted => received.push(emitted))
  recorder.start()
  const send = (command: ClientCommand) => recorder.between(() => deliver(recorder.actor, command))
  return { clock, recorder, received, send }
}

/** A restless user in a storm; everything follows from the seed. */
export function stormyRun(seed: number, commands = 40) {
  const { behavior, command, idleTime: pause } = storm(seed)
  const run = recordedClient(behavior, seed)
  for (let n = 0; n < commands; n++) {
    run.send(command())
    run.clock.advance(pause())
  }
  run.clock.advance(120_000)
  run.recorder.stop()
  return run.recorder
}
