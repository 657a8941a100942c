// Measures what a minute of recording costs an app: processor time, bytes to upload, and the capture of a report.
import { createActor } from 'xstate'
import type { ClientCommand } from '../../../src/machines/client.ts'
import type { TopicEvent } from '../../../src/machines/realtime/channel-events.ts'
import { DEFAULT_TIMINGS } from '../../../src/machines/timings.ts'
import { createCommandRouter } from '../../../src/services/client/client-core.ts'
import { composeClient } from '../../../src/services/client/compose-client.ts'
import { encodeSegments } from '../../../src/services/recording/encode-gently.ts'
import { createSegments } from '../../../src/services/recording/store/segments.ts'
import { createVirtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.ts'
import { recordedClient } from '../../../tests/harness/recorded-run.ts'
import { healthy, scriptedPorts, type Script } from '../../../tests/harness/scripted-ports.ts'
import { type Measured, median } from '../contract.ts'

/** Minutes of the recording in a report. */
const REPORTED = 5
/** Minutes before a measurement and in it; a minute alone is too short to be measured. */
const [WARM_UP, MEASURED] = [10, 20]
const MINUTE = 60_000
/** A busy app: a request per second, and a message of a channel every two seconds. */
const EVERY = { request: 1_000, message: 2_000 } as const

/** Milliseconds of processor time, recorded and not. Prints the capture besides: five minutes as a file. */
export async function measureMinute(samples: number): Promise<Measured> {
  const [ours, peer, totals, turns]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let sample = 0; sample < samples; sample++) {
    ours.push(timePerMinute(recorded(false).live))
    peer.push(timePerMinute(bare()))
    const { total, longest } = await capture()
    totals.push(total)
    turns.push(longest)
  }
  console.error(
    `capture of ${REPORTED} minutes: ${median(totals).toFixed(0)} ms of processor time, longest turn ${median(turns).toFixed(1)} ms`,
  )
  return { ours, peer }
}

/** Kilobytes of a minute in a report, compressed, without steps and with. Prints the fixed part of a file besides. */
export async function measureSize(): Promise<Measured> {
  const [ours, peer] = [await sizes(false), await sizes(true)]
  console.error(
    `a report of ${REPORTED} minutes has ${ours.whole.toFixed(0)} kB, ${ours.fixed.toFixed(0)} kB of it are the same in each`,
  )
  return { ours: [ours.minute], peer: [peer.minute] }
}

/** Lets this many minutes of use pass. */
type Live = (minutes: number) => void

const messages: Script<TopicEvent> = Array.from(
  { length: ((WARM_UP + MEASURED) * MINUTE) / EVERY.message },
  (_, n) => [
    (n + 1) * EVERY.message,
    {
      type: 'broadcast.received',
      event: 'position',
      payload: { vessel: n % 9, lat: 54.3 + n / 1e5, lon: 10.1 },
    },
  ],
)

const behavior = () => ({
  topic: (): Script<TopicEvent> => [[5, { type: 'topic.joined' }], ...messages],
})

function liveWith(clock: VirtualClock, send: (command: ClientCommand) => void): Live {
  let count = 0
  send({ type: 'session.signIn', attempt: 'first' })
  clock.advance(EVERY.request)
  send({ type: 'channel.join', topic: 'positions', options: {} })
  return minutes => {
    for (let n = 0; n < (minutes * MINUTE) / EVERY.request; n++) {
      const id = String(++count)
      const info = {
        id,
        family: 'rest',
        method: 'GET',
        path: '/rest/v1/vessels?select=id,name',
        priority: 'normal',
      } as const
      send({ type: 'request.start', info })
      clock.advance(EVERY.request)
    }
  }
}

function recorded(steps: boolean) {
  const { clock, recorder, send } = recordedClient(behavior, 1, undefined, steps)
  const segments = createSegments(recorder, clock.now, { minutes: REPORTED })
  return { live: liveWith(clock, send), segments, recorder }
}

function bare(): Live {
  const clock = createVirtualClock()
  const { ports } = scriptedPorts(clock, { ...healthy(clock), ...behavior() })
  const actor = createActor(composeClient(ports), { clock, input: { timings: DEFAULT_TIMINGS, seed: 1 } })
  const deliver = createCommandRouter(() => undefined)
  actor.start()
  return liveWith(clock, command => deliver(actor, command))
}

function timePerMinute(live: Live): number {
  live(WARM_UP)
  const before = process.cpuUsage()
  live(MEASURED)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / MEASURED
}

async function capture() {
  const { live, segments, recorder } = recorded(false)
  live(WARM_UP)
  let isDone = false
  let longest = 0
  const start = threadTime()
  const written = encodeSegments(segments, recorder).finally(() => void (isDone = true))
  for (let last = start; !isDone; last = threadTime()) {
    longest = Math.max(longest, threadTime() - last)
    await new Promise(resolve => setImmediate(resolve))
  }
  await written
  return { total: threadTime() - start, longest }
}

/** Milliseconds of this thread, which other programs do not add to. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function sizes(steps: boolean) {
  const sizeAfter = async (minutes: number) => {
    const { live, segments, recorder } = recorded(steps)
    live(minutes)
    return (await encodeSegments(segments, recorder)).length / 1000
  }
  const [one, four, whole] = [await sizeAfter(1), await sizeAfter(4), await sizeAfter(REPORTED)]
  const minute = (four - one) / 3
  return { minute, fixed: one - minute, whole }
}
