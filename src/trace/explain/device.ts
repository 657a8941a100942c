// What changed in the environment: network, visibility, and sleep of the device.
import type { StepRecord } from '../format/records.ts'
import type { Evidence } from './answer.ts'
import type { History } from './history.ts'

export type DeviceChange = Extract<Evidence, { kind: 'device' }>['change']

export const DEVICE_WORDS: Readonly<Record<DeviceChange, string>> = {
  offline: 'the device went offline',
  online: 'the device was online again',
  hidden: 'the page was hidden',
  visible: 'the page was visible again',
  frozen: 'the browser froze the page',
  resumed: 'the browser resumed the page',
  woke: 'the device had slept',
}

/** Undefined if nothing changed, or the recording does not contain the state before. */
export function deviceChange(history: History, step: StepRecord): DeviceChange | undefined {
  const { event, actor, seq } = step
  if (event.type === 'environment.woke') return 'woke'
  if (event.type !== 'environment.changed') return undefined
  const previous = history.find(actor, one => one.event.type === 'environment.changed', seq - 1)
  const before = previous?.event ?? { online: true, visible: true, frozen: false }
  if (before['online'] !== event['online']) return event['online'] === true ? 'online' : 'offline'
  if (before['visible'] !== event['visible']) return event['visible'] === true ? 'visible' : 'hidden'
  if ((before['frozen'] ?? false) === (event['frozen'] ?? false)) return undefined
  return event['frozen'] === true ? 'frozen' : 'resumed'
}
