// What can be set of each fault, and how it is called.
import type { Fault, FaultKind } from '../../../control.ts'

interface FaultInput {
  readonly label: string
  readonly unit: string
  readonly initial: number
  readonly min: number
  readonly max: number
  readonly step: number
}

export interface FaultForm {
  readonly kind: FaultKind
  readonly title: string
  readonly text: string
  readonly inputs: readonly FaultInput[]
  /** Of the inputs, in their order. */
  readonly make: (values: readonly number[]) => Fault
}

const input = (
  label: string,
  unit: string,
  initial: number,
  min: number,
  max: number,
  step = 1,
): FaultInput => ({
  label,
  unit,
  initial,
  min,
  max,
  step,
})

/** In the order of the panel. */
export const FAULT_FORMS: readonly FaultForm[] = [
  {
    kind: 'offline',
    title: 'Offline',
    text: 'the device knows that it is offline; sockets break',
    inputs: [],
    make: () => ({ kind: 'offline' }),
  },
  {
    kind: 'unreachable',
    title: 'Nothing answers',
    text: 'as behind a dead proxy: the device takes itself to be online',
    inputs: [],
    make: () => ({ kind: 'unreachable' }),
  },
  {
    kind: 'slow',
    title: 'Slow line',
    text: 'requests and frames of sockets come late',
    inputs: [
      input('delay', 'ms', 800, 0, 60_000, 100),
      input('and up to so much more', 'ms', 400, 0, 60_000, 100),
    ],
    make: ([delay = 0, jitter = 0]) => ({ kind: 'slow', delay, jitter }),
  },
  {
    kind: 'fail',
    title: 'Fail the next requests',
    text: 'status 0 stands for no answer at all',
    inputs: [input('how many', '×', 3, 1, 1_000), input('status', '', 503, 0, 599)],
    make: ([times = 1, status = 0]) => ({ kind: 'fail', times, ...(status >= 200 && { status }) }),
  },
  {
    kind: 'expireToken',
    title: 'Expire the token now',
    text: 'requests with the token of this moment are refused; a new one is good',
    inputs: [],
    make: () => ({ kind: 'expireToken' }),
  },
  {
    kind: 'revoke',
    title: 'Revoke the session',
    text: 'no token is good any more and none can be had, until somebody signs in',
    inputs: [],
    make: () => ({ kind: 'revoke' }),
  },
  {
    kind: 'dropFrames',
    title: 'Lose frames of sockets',
    text: 'both ways; 0 stands for all of them',
    inputs: [input('how many', '×', 0, 0, 10_000)],
    make: ([times = 0]) => ({ kind: 'dropFrames', way: 'both', ...(times > 0 && { times }) }),
  },
  {
    kind: 'skewClock',
    title: 'Clock is off',
    text: 'the time of day that the app sees; below 0 it is behind',
    inputs: [input('seconds', 's', 300, -86_400, 86_400, 30)],
    make: ([seconds = 0]) => ({ kind: 'skewClock', by: seconds * 1000 }),
  },
  {
    kind: 'storageFull',
    title: 'Storage is full',
    text: 'the session can no longer be kept in the browser',
    inputs: [],
    make: () => ({ kind: 'storageFull' }),
  },
]
