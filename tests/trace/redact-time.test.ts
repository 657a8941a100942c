// How long redaction takes: 10 to 60 ms for a text of one megabyte, whatever fragment it repeats. A pattern that takes
// the square of the length takes seconds or minutes.
import { expect, test } from 'vitest'
import { createRedactor } from '../../src/trace/index.ts'

const MEGABYTE = 1_000_000
/** Several times what the slowest fragment takes, for slower and busier machines. */
const MOST_MS = 200

/** Beginnings of tokens, names before values, and their surroundings. */
const FRAGMENTS =
  'eyJ|eyJaaaaa.|eyJaaaaa.eyJaaaaa.|eyJaaaaa.eyJaaaaa |sb_secret_|sbp_|sk_live_|whsec_|ghp_|github_pat_|glpat-|npm_|AKIA|AIza|ya29.|xoxb-|SG.|SG.aaaaaaaaaaaaaaaaaaaa.|hf_|sk-|hvs.|1:AA|$2b$|$argon2id$|AGE-SECRET-KEY-|' +
  '-----BEGIN |-----BEGIN PRIVATE KEY-----|-----END |Bearer |bearer a|basic |?token=|&password=|;key="|%3Ftoken%3D|PASSWORD=|"password":"|\\"pin\\":\\"|"a":|"a":1|"a":"\\\\|\\"a\\":\\"\\\\\\\\|"a\\\\\\\\|://|://a:|://a:b|@|password.eq.|(token.in.(|X-A: |cookie:|Set-Cookie: a|' +
  '[redacted:1]|a|-|.|:|=|"|\\|%3|%20|1| |\n|a b |{"a":"b"}|é'

/** Processor time of this thread, in milliseconds: the least of three runs. */
function timeOf(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

test.each(FRAGMENTS.split('|'))('one megabyte of %j', fragment => {
  const text = fragment.repeat(MEGABYTE / fragment.length)
  expect(timeOf(() => createRedactor().text(text))).toBeLessThan(MOST_MS)
})

test('a message of several megabytes is hidden as a whole, and proportionally as quickly', () => {
  const text = `${'eyJ'.repeat(MEGABYTE)} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`
  expect(createRedactor().text(text).endsWith(' [redacted:1]')).toBe(true)
})
