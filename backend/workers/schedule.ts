// Schedules of pg_cron, by the rules of its parser (entry.c), which ignores what follows a part that it could read.

/** Values of the five fields. */
interface Fields {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** `last` is the last day of each month. */
  readonly days: readonly number[] | 'last'
  readonly months: readonly number[]
  readonly weekdays: readonly number[]
  /** Whether a day must fit `days` and `weekdays`: one of the two fields starts with a star. */
  readonly needsBoth: boolean
}

export type Schedule =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'fields'; readonly fields: Fields }

const NAMED_SCHEDULES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Returns `undefined` for a text that is no schedule. */
export function readSchedule(text: string): Schedule | undefined {
  const seconds = Number(/^\s*(\d+)\s*seconds?\s*$/i.exec(text)?.[1])
  if (seconds > 0 && seconds < 60) return { kind: 'seconds', seconds }
  const [first = '', ...rest] = text.split(/[ \t\n]/).filter(part => part !== '')
  if (first === '@reboot' || first === '@restart') return { kind: 'start' }
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = NAMED_SCHEDULES[first]?.split(' ') ?? [
    first,
    ...rest,
  ]
  const minutes = readField(minute, 0, 59)
  const hours = readField(hour, 0, 23)
  const days = day === '$' ? 'last' : readField(day, 1, 31)
  const months = readField(month, 1, 12, MONTHS)
  const weekdays = readField(weekday, 0, 7, WEEKDAYS)
  if (!minutes || !hours || !days || !months || !weekdays) return undefined
  const needsBoth = day.startsWith('*') || weekday.startsWith('*')
  return { kind: 'fields', fields: { minutes, hours, days, months, weekdays, needsBoth } }
}

const RANGE = /(?:\*|([a-z\d]+)(?:-([a-z\d]*))?)(?:\/([a-z\d]*))?(,?)/iy

/** The values of a list of ranges; empty for one like `5-2`. */
function readField(
  field: string,
  low: number,
  high: number,
  names: readonly string[] = [],
): number[] | undefined {
  const values: number[] = []
  const numberOf = (text: string) => {
    const place = names.indexOf(text.toLowerCase())
    const number = place === -1 ? wholeOf(text) : place + low
    return number !== undefined && number >= low && number <= high ? number : undefined
  }
  RANGE.lastIndex = 0
  for (;;) {
    const match = RANGE.exec(field)
    if (!match) return undefined
    const [, first, last, step, comma] = match
    const start = first === undefined ? low : numberOf(first)
    const end = first === undefined ? high : last === undefined ? start : numberOf(last)
    const width = step === undefined ? 1 : wholeOf(step)
    const isSingle = first !== undefined && last === undefined
    // A step needs a range.
    if (start === undefined || end === undefined || !width || (isSingle && step !== undefined))
      return undefined
    for (let value = start; value <= end; value += width) values.push(value)
    if (comma === '') return values
  }
}

const wholeOf = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

/** The next time of each schedule after `now`; `undefined` if it has none. */
export async function nextTimes(
  schedules: readonly (Schedule | undefined)[],
  now: number,
): Promise<(number | undefined)[]> {
  if (!schedules.some(schedule => schedule?.kind === 'fields'))
    return schedules.map(s => secondsAfter(s, now))
  const { Cron: Pattern } = await import('croner')
  return schedules.map(schedule => {
    if (schedule?.kind !== 'fields') return secondsAfter(schedule, now)
    const { minutes, hours, days, months, weekdays, needsBoth } = schedule.fields
    const lists = [minutes, hours, days === 'last' ? ['L'] : days, months, weekdays]
    if (lists.some(list => list.length === 0)) return undefined
    const options = { timezone: 'UTC', paused: true, domAndDow: needsBoth }
    return new Pattern(lists.join(' '), options).nextRun(new Date(now))?.getTime()
  })
}

const secondsAfter = (schedule: Schedule | undefined, now: number): number | undefined =>
  schedule?.kind === 'seconds' ? now + schedule.seconds * 1000 : undefined
