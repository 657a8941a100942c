// Schedules of pg_cron: which texts are some, and when they are due.
import { expect, test } from 'vitest'
import { nextTimes, readSchedule } from '../../../backend/workers/schedule.ts'
import { NONE, TIMES } from '../../harness/cron-schedules.ts'

const NOW = Date.UTC(2026, 0, 14, 12, 0, 30)

/** The next times after Wednesday, 14 January 2026, 12:00:30. */
async function timesOf(schedule: string, count = 1): Promise<(string | undefined)[]> {
  const times: (string | undefined)[] = []
  let now: number | undefined = NOW
  while (times.length < count && now !== undefined) {
    ;[now] = await nextTimes([readSchedule(schedule)], now)
    times.push(now === undefined ? undefined : new Date(now).toISOString().slice(0, 19))
  }
  return times
}

test.each(NONE)('%j is none', schedule => expect(readSchedule(schedule)).toBeUndefined())

test.each(TIMES)('%j is next due at %s', async (schedule, ...times) => {
  expect(await timesOf(schedule, times.length)).toEqual(times)
})

test('a range that ends before it starts is never due, and a start is no time', async () => {
  expect(await timesOf('5-2 * * * *')).toEqual([undefined])
  expect(await timesOf('@reboot')).toEqual([undefined])
})
