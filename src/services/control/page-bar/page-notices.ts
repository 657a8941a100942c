// What the page says about the control of a system: paused, another clock, injected faults.
import type { Control, ControlState } from '../control.ts'

export interface PageNotice {
  readonly kind: 'paused' | 'clock' | 'fault'
  readonly text: string
  /** What the user can do about it. */
  readonly action: NoticeAction | undefined
}

interface NoticeAction {
  readonly title: string
  readonly run: (control: Pick<Control, 'release' | 'time' | 'faults'>) => void
}

/** A pause leaves the clock behind; less than this changes nothing that a user sees, in milliseconds. */
const BEHIND = 60_000
/** Smaller differences are those of the measurement. */
const AHEAD = 500

/** Returns the notices in the order of their weight. */
export const pageNotices = (state: ControlState): readonly PageNotice[] =>
  [pausedNotice(state), clockNotice(state), faultNotice(state)].filter(notice => notice !== undefined)

function pausedNotice({ hold }: ControlState): PageNotice | undefined {
  if (!hold) return undefined
  const where = hold.by === 'hand' ? '' : `: ${lowered(hold.text)}`
  return {
    kind: 'paused',
    text: `Paused by the console${where}`,
    action: { title: 'Resume', run: control => control.release() },
  }
}

function clockNotice({ hold, speed, ahead, faults }: ControlState): PageNotice | undefined {
  const skew = faults.reduce((sum, { fault }) => sum + (fault.kind === 'skewClock' ? fault.by : 0), 0)
  // While paused, the difference grows.
  const clock = hold || (ahead < AHEAD && ahead > -BEHIND) ? 0 : ahead
  if (skew === 0 && clock === 0 && speed === 1) return undefined
  const offset = skew + clock
  const how = [speed === 1 ? '' : speedText(speed), offset === 0 ? '' : offsetText(offset)]
  const text = `The console has set the clock: ${how.filter(part => part !== '').join(', ')}`
  // A clock never goes back, as timers have fired.
  const isStuck = skew === 0 && speed === 1 && clock > 0
  return {
    kind: 'clock',
    text: isStuck ? `${text}, until this page is reloaded` : text,
    action: isStuck
      ? undefined
      : {
          title: 'Reset',
          run({ time, faults: injector }) {
            if (skew !== 0) injector.clear('skewClock')
            if (speed !== 1 || clock < 0) time.toReal()
          },
        },
  }
}

function faultNotice({ faults }: ControlState): PageNotice | undefined {
  const otherFaults = faults.filter(({ fault }) => fault.kind !== 'skewClock')
  if (otherFaults.length === 0) return undefined
  const what = otherFaults.length === 1 ? 'a fault' : `${otherFaults.length} faults`
  return {
    kind: 'fault',
    text: `The console injects ${what}: ${otherFaults.map(({ text }) => lowered(text)).join(', ')}`,
    action: {
      title: 'Clear',
      run: control => otherFaults.forEach(({ fault }) => control.faults.clear(fault.kind)),
    },
  }
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const speedText = (speed: number): string => (speed === 0 ? 'stopped' : `${speed} times as fast`)

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const

/** Formats an offset as `3 h ahead` or `29 s behind`. */
function offsetText(ms: number): string {
  const size = Math.abs(ms)
  const [unit, name] = UNITS.find(([minSize]) => size >= minSize) ?? ([1_000, 's'] as const)
  const amount = Math.round((10 * size) / unit) / 10
  return `${amount} ${name} ${ms > 0 ? 'ahead' : 'behind'}`
}
