// The whole client, recorded on scripted ports in a storm with a virtual clock: everything is determined by
// the seed.
import type { ClientCommand } from '../../../src/machines/client.ts'
import { DEFAULT_TIMINGS } from '../../../src/machines/timings.ts'
import { CLIENT_SYSTEM, composeClient } from '../../../src/services/client/compose-client.ts'
import { createSeededEntropy } from '../../../src/services/runtime/entropy.ts'
import { createRecorder } from '../../../src/services/recording/record.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { healthy, scriptedPorts } from '../../../tests/harness/scripted-ports.ts'
import { storm } from '../../../tests/harness/storm.ts'

/** A client for the given number of commands; `run` sends them and stops it. */
export function stormRun(seed: number, commands: number) {
  const clock = createVirtualClock()
  const { behavior, command, idleTime: pause } = storm(seed)
  const { ports } = scriptedPorts(clock, { ...healthy(clock), ...behavior(clock) })
  const recorder = createRecorder({
    system: CLIENT_SYSTEM,
    appVersion: 'bench',
    clock,
    entropy: createSeededEntropy(seed),
    compose: () => composeClient(ports),
    input: { timings: DEFAULT_TIMINGS, seed },
  })
  const run = () => {
    recorder.start()
    for (let n = 0; n < commands; n++) {
      const next: ClientCommand = command()
      recorder.send(next)
      clock.advance(pause())
    }
    recorder.stop()
    return recorder.trace
  }
  return { recorder, run }
}
