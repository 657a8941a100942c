// Live invariants: a recorded client is watched as it runs, and each violation is reported once.
import { expect, test, vi } from 'vitest'
import {
  recordEverything,
  type RecordingOptions,
  type Violation,
} from '../../src/public/devtools/recording.ts'
import { composeClient } from '../../src/services/client/index.ts'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { DEFAULT_TIMINGS, type clientMachine } from '../../src/machines/index.ts'
import { tellsTwice } from '../harness/mutants.ts'
import { healthy, scriptedPorts } from '../harness/scripted-ports.ts'

/** A client in which each request seems to have settled twice. */
function run(options: RecordingOptions) {
  const clock = createVirtualClock()
  const { ports } = scriptedPorts(clock, healthy(clock))
  const runner = recordEverything(options)({
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(1),
    compose: () => tellsTwice(composeClient(ports)) as typeof clientMachine,
    input: { timings: DEFAULT_TIMINGS, seed: 1 },
  })
  runner.start()
  clock.advance(10)
  for (const id of ['1', '2']) {
    const info = { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels' } as const
    runner.between(() => runner.actor.send({ type: 'request.start', info }))
    clock.advance(100)
  }
  return runner
}

test('a listener receives each violation, and the console none', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const received: Violation[] = []
  run({ onViolation: violation => received.push(violation) })
  await vi.waitFor(() => expect(received).toHaveLength(2))
  expect(received.map(({ invariant, actor, why }) => [invariant, actor, why])).toEqual([
    [
      'settlesOnce',
      'client',
      'Request 1 settled without being open: a second time, or without being started.',
    ],
    [
      'settlesOnce',
      'client',
      'Request 2 settled without being open: a second time, or without being started.',
    ],
  ])
  expect(error).not.toHaveBeenCalled()
})

test('without a listener the console gets only the first', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const runner = run({})
  await vi.waitFor(() => expect(error).toHaveBeenCalled())
  runner.stop()
  await new Promise(resolve => runner.steps.subscribe(() => resolve(undefined)))
  expect(error.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^Chartroom broke an invariant: settlesOnce at step \d+, client: Request 1 settled without being open/,
      ),
    ],
  ])
})

test('a production build does not check', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const received: Violation[] = []
  const { steps } = run({ onViolation: violation => received.push(violation) })
  await new Promise(resolve => steps.subscribe(() => resolve(undefined)))
  vi.unstubAllEnvs()
  expect([received, error.mock.calls]).toEqual([[], []])
})
