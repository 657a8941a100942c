// Times with a zone, as cells show and read them: the same instant, written as PostgreSQL writes it in the preferred
// zone.
import { isUtc } from '../../text/time-zone.ts'

/** What PostgreSQL and PostgREST write: an offset, and fractions of a second as far as there are any. */
const INSTANT =
  /^(\d{4,6})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(\.\d{1,6})?(?:Z|([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?)( BC)?$/

const ZONELESS = /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(\.\d{1,6})?)?)?( BC)?$/

/** Seconds since 1970 on a clock that shows these; NaN beyond the range of a Date. */
function secondsOf(parts: readonly (string | undefined)[], era: string | undefined): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(part =>
    Number(part ?? 0),
  )
  const date = new Date(0)
  date.setUTCFullYear(era === undefined ? year : 1 - year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return date.getTime() / 1000
}

/** Seconds by which the preferred zone's clocks are ahead of UTC. */
function offsetAt(seconds: number): number {
  if (isUtc()) return 0
  const date = new Date(seconds * 1000)
  const clock = new Date(0)
  clock.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  clock.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds())
  return clock.getTime() / 1000 - seconds
}

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** Formats an offset as `+01`, `-03:30` or `+00:53:28`. */
function offsetText(offset: number): string {
  const size = Math.abs(offset)
  const [hours, minutes, seconds] = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const rest = seconds > 0 ? [minutes, seconds] : minutes > 0 ? [minutes] : []
  return `${offset < 0 ? '-' : '+'}${[hours, ...rest].map(part => pad(part)).join(':')}`
}

/**
 * Formats a time as PostgreSQL writes it in the preferred zone, `2026-03-14 05:00:00.5+01`. A time without a zone and
 * what is no time, such as `infinity`, are returned as stored.
 */
export function zonedTime(text: string): string {
  const parts = INSTANT.exec(text)
  if (parts === null) return ZONELESS.test(text) ? text.replace('T', ' ') : text
  const [, year, month, day, hour, minute, second, fraction = '', sign, ...rest] = parts
  const [hours, minutes, seconds] = rest.map(part => Number(part ?? 0)) as [number, number, number]
  const ahead = (sign === '-' ? -1 : 1) * (sign === undefined ? 0 : hours * 3600 + minutes * 60 + seconds)
  const instant = secondsOf([year, month, day, hour, minute, second], rest[3]) - ahead
  const offset = offsetAt(instant)
  const clock = new Date((instant + offset) * 1000)
  const shownYear = clock.getUTCFullYear()
  if (Number.isNaN(shownYear)) return text
  const date = `${pad(shownYear > 0 ? shownYear : 1 - shownYear, 4)}-${pad(clock.getUTCMonth() + 1)}-${pad(clock.getUTCDate())}`
  const time = `${pad(clock.getUTCHours())}:${pad(clock.getUTCMinutes())}:${pad(clock.getUTCSeconds())}`
  return `${date} ${time}${fraction}${offsetText(offset)}${shownYear > 0 ? '' : ' BC'}`
}

/** Longer than any offset, and than the day that a zone may skip. */
const AROUND = 36 * 3600

/**
 * Adds the preferred zone's offset to a time without a zone, which the server would read in its own. Like PostgreSQL,
 * takes the offset from before a gap, and the one from after a repeated hour.
 */
export function withZone(text: string): string {
  const parts = ZONELESS.exec(text)
  if (parts === null) return text
  const [, year, month, day, hour, minute, second, , era] = parts
  const clock = secondsOf([year, month, day, hour, minute, second], era)
  if (Number.isNaN(clock)) return text
  const [before, after] = [offsetAt(clock - AROUND), offsetAt(clock + AROUND)]
  const offset = offsetAt(clock - after) === after ? after : before
  const time = hour === undefined ? `${text.replace(/ BC$/, '')} 00:00` : text.replace(/ BC$/, '')
  return `${time}${offsetText(offset)}${era ?? ''}`
}

/**
 * The text after its date and time were picked: a part of a second that the picker cannot show stays, and so does the
 * offset where it still applies.
 */
export function withPicked(text: string, picked: string): string {
  const [, fraction = ''] = /:\d\d(\.\d{1,6})/.exec(text) ?? []
  const seconds = /:\d\d:\d\d$/.test(picked) ? picked : `${picked}:00`
  const time = `${seconds.replace('T', ' ')}${fraction}`
  if (!INSTANT.test(text)) return time
  const [, offset = ''] = /([+-]\d\d(?::\d\d){0,2})$/.exec(zonedTime(text)) ?? []
  // Of a repeated hour, the one that was stored.
  return zonedTime(`${time}${offset}`) === `${time}${offset}` ? `${time}${offset}` : zonedTime(withZone(time))
}

/** The text that a field with a date and a time shows, without a zone; empty if there is none. */
export const pickerTime = (text: string): string =>
  (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?!.* BC)/.exec(zonedTime(text))?.[0] ?? '').replace(' ', 'T')
