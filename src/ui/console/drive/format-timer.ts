// Formats times, speeds and events in the control panel.
import type { ArmedTimer } from '../../../services/control/index.ts'

/** Formats the time left of a timer as `0.84 s`, `12.3 s` or `4:05`. */
export function leftTime(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** Formats how far the system's clock is from the real one; empty if negligible. */
export function aheadText(ms: number): string {
  if (Math.abs(ms) < 50) return ''
  return `${leftTime(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`
}

export const speedText = (speed: number): string => (speed === 0 ? 'paused' : `×${speed}`)

/** Formats what a timer will send, as its chart does. */
export function timerText({ event }: Pick<ArmedTimer, 'event'>): string {
  const after = /^xstate\.after\.(.+?)\.[^.]+(?:\..*)?$/s.exec(event.type)?.[1]
  return after === undefined ? event.type : `after ${after}`
}
