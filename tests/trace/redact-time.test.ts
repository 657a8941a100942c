// How long redaction takes: at most 50 ms for a text of one megabyte, whatever fragment it repeats.
import { expect, test } from 'vitest'
import { createRedactor } from '../../src/trace/index.ts'

const MEGABYTE = 1_000_000
const MOST_MS = 50

/** Beginnings of tokens, names before values, and their surroundings. */
const FRAGMENTS =
  'eyJ|eyJaaaaa.|eyJaaaaa.eyJaaaaa.|eyJaaaaa.eyJaaaaa |sb_secret_|sbp_|sk_live_|whsec_|ghp_|github_pat_|glpat-|npm_|AKIA|AIza|ya29.|xoxb-|SG.|SG.aaaaaaaaaaaaaaaaaaaa.|hf_|sk-|hvs.|1:AA|$2b$|$argon2id$|AGE-SECRET-KEY-|' +
  '-----BEGIN |-----BEGIN PRIVATE KEY-----|-----END |Bearer |bearer a|basic |?token=|&password=|;key="|%3Ftoken%3D|PASSWORD=|"password":"|\\"pin\\":\\"|"a":|"a":1|"a":"\\\\|\\"a\\":\\"\\\\\\\\|"a\\\\\\\\|://|://a:|://a:b|@|password.eq.|(token.in.(|X-A: |cookie:|Set-Cookie: a|' +
  '[redacted:1]|a|-|.|:|=|"|\\|%3|%20|1| |\n|a b |{"a":"b"}|é'

/**
 * The time of a plain pass over such a text on an idle machine; more means that other programs slow this one
 * down.
 */
const REFERENCE_MS = 8
const REFERENCE = 'ab'.repeat(MEGABYTE / 2)

/** Processor time of this thread, in milliseconds. */
function timeOf(run: () => void): number {
  const start = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

test.each(FRAGMENTS.split('|'))('one megabyte of %j', fragment => {
  const text = fragment.repeat(MEGABYTE / fragment.length)
  let least = Infinity
  for (let n = 0; n < 8 && least > MOST_MS; n += 1) {
    const slowdown = Math.max(1, timeOf(() => REFERENCE.replaceAll(/[ac]/g, '')) / REFERENCE_MS)
    least = Math.min(least, timeOf(() => createRedactor().text(text)) / slowdown)
  }
  expect(least).toBeLessThan(MOST_MS)
})

test('a message of several megabytes is hidden as a whole, and proportionally as quickly', () => {
  const text = `${'eyJ'.repeat(MEGABYTE)} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`
  expect(createRedactor().text(text).endsWith(' [redacted:1]')).toBe(true)
})
