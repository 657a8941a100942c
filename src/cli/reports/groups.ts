// Which groups and reports a command is about.
import { mentions } from '../../services/reports/words.ts'
import { UsageError } from '../command.ts'

export const GROUP_FLAGS = {
  status: {
    type: 'string',
    value: 'STATUS',
    oneOf: ['open', 'fixed', 'ignored', 'all'],
    about: 'Only failures of this status: open (the default), fixed, ignored or all',
  },
  since: { type: 'string', value: 'AGE', about: 'Only what was seen within this time, e.g. 12h or 30d' },
  search: {
    type: 'string',
    value: 'TEXT',
    about: 'Only failures whose title, or what a user wrote last, contains this',
  },
} as const

export interface GroupQuery {
  readonly status: 'open' | 'fixed' | 'ignored' | 'all' | undefined
  readonly since: string | undefined
  readonly search: string | undefined
}

/** A query of REST for groups. @throws UsageError for an age that is none */
export function groupQuery({ status = 'open', since, search }: GroupQuery): string {
  const query = new URLSearchParams({ order: 'last_seen.desc,fingerprint' })
  if (status !== 'all') query.set('status', `eq.${status}`)
  if (since !== undefined) query.set('last_seen', `gte.${timeBefore(since)}`)
  if (search !== undefined) query.set('or', `(${mentions(search)})`)
  return query.toString()
}

const HOURS = { h: 1, d: 24, w: 168 } as const

/** The time this long ago, in ISO 8601. @throws UsageError */
function timeBefore(age: string): string {
  const [, count = '', unit] = /^(\d{1,5})([hdw])$/.exec(age) ?? []
  if (unit === undefined)
    throw new UsageError(`--since must be a number with h, d or w for hours, days or weeks, not "${age}".`)
  const hours = Number(count) * HOURS[unit as keyof typeof HOURS]
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}
