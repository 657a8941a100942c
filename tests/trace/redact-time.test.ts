// How long redaction takes: a text of one megabyte, of whatever fragment, at most 50 ms.
import { expect, test } from 'vitest'
import { createRedactor } from '../../src/trace/redact.ts'

const MEGABYTE = 1_000_000
const MOST_MS = 50

/** Beginnings of tokens, names before values, and what stands around them. */
const FRAGMENTS =
  'eyJ|eyJaaaaa.|eyJaaaaa.eyJaaaaa.|eyJaaaaa.eyJaaaaa |sb_secret_|sbp_|sk_live_|whsec_|ghp_|github_pat_|glpat-|npm_|AKIA|AIza|ya29.|xoxb-|SG.|SG.aaaaaaaaaaaaaaaaaaaa.|hf_|sk-|hvs.|1:AA|$2b$|$argon2id$|AGE-SECRET-KEY-|' +
  '-----BEGIN |-----BEGIN PRIVATE KEY-----|-----END |Bearer |bearer a|basic |?token=|&password=|;key="|%3Ftoken%3D|PASSWORD=|"password":"|\\"pin\\":\\"|"a":|"a":1|"a":"\\\\|\\"a\\":\\"\\\\\\\\|"a\\\\\\\\|://|://a:|://a:b|@|password.eq.|(token.in.(|X-A: |cookie:|Set-Cookie: a|' +
  '[redacted:1]|a|-|.|:|=|"|\\|%3|%20|1| |\n|a b |{"a":"b"}|é'

/** Processor time of one pass over a text on an idle machine; more here means that the machine is busy. */
const REFERENCE_MS = 8

/** Processor time of the fastest of some runs; no more of them than are needed to stay below a bound. */
function fastest(run: () => void, bound = 0): number {
  let least = Infinity
  for (let n = 0; n < 8 && least > bound; n += 1) {
    const start = process.cpuUsage()
    run()
    least = Math.min(least, process.cpuUsage(start).user / 1_000)
  }
  return least
}

function slowdown(): number {
  const text = 'ab'.repeat(MEGABYTE / 2)
  return Math.max(1, fastest(() => text.replaceAll(/[ac]/g, ''), REFERENCE_MS) / REFERENCE_MS)
}

test.each(FRAGMENTS.split('|'))('one megabyte of %j', fragment => {
  const text = fragment.repeat(MEGABYTE / fragment.length)
  const redact = () => createRedactor().text(text)
  const took = fastest(redact, MOST_MS)
  expect(took).toBeLessThan(took < MOST_MS ? MOST_MS : MOST_MS * slowdown())
})

test('a message of several megabytes is hidden as a whole, and as quickly in proportion', () => {
  const text = `${'eyJ'.repeat(MEGABYTE)} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`
  expect(createRedactor().text(text).endsWith(' [redacted:1]')).toBe(true)
})
