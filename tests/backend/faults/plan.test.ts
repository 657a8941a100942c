// Fault plans written by hand: mistakes are reported by path, with a fix.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { knownCode } from '../../../backend/faults/codes/known-codes.ts'
import { FaultPlanError, readPlanFile } from '../../../backend/faults/index.ts'
import { parsePlan } from '../../../backend/faults/parse-plan.ts'
import { createMatcher } from '../../../backend/faults/patterns.ts'
import { backendCommand } from '../../../src/cli/backend.ts'

const problemsOf = (plan: unknown) => {
  try {
    parsePlan(plan)
    return []
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error
    return error.problems.map(({ path, message }) => `${path}: ${message}`)
  }
}
const ofFault = (fault: unknown) => problemsOf({ faults: [fault] }).map(line => line.replace('faults.0.', ''))

test('a valid plan is returned unchanged', () => {
  const plan = {
    seed: 7,
    faults: [
      { story: 'squall' },
      {
        id: 'late',
        when: {
          family: ['rest', 'storage'],
          method: 'GET',
          path: '/rest/v1/*',
          user: 'anon',
          every: 2,
          probability: 0.5,
        },
        do: { delay: 100, jitter: 50 },
        times: 3,
      },
    ],
  }
  expect(parsePlan(plan)).toEqual(plan)
})

test.each([
  [null, [': A plan is { "seed"?, "faults": [ … ] }, not null']],
  [{ faults: {} }, ['faults: must be a list of faults']],
  [{ faults: [], sead: 1 }, ['sead: is unknown; a plan has seed and faults']],
  [
    { faults: [{ story: 'gale' }] },
    ['faults.0.story: must be one of "offline", "maintenance", "squall", "tide", not "gale"'],
  ],
  [{ faults: [{ do: { delay: 1 } }, {}] }, ['faults.1.do: is missing']],
])('%j', (plan, problems) => {
  expect(problemsOf(plan)).toEqual(problems)
})

test.each([
  [{ do: {} }, ['do: has no action; add one, e.g. { "delay": 500 }']],
  [{ do: { delay: -1 } }, ['do.delay: must be a whole number of milliseconds from 0 to 600000, not -1']],
  [{ do: { delay: '5' } }, ['do.delay: must be a whole number of milliseconds from 0 to 600000, not "5"']],
  [{ do: { code: 'nonsense' } }, ['do.code: "nonsense" is not a known code; add a status']],
  [{ do: { message: 'x' } }, ['do.message: needs a response; add a status or a code']],
  [
    { do: { status: 200 } },
    ['do.status: must be a whole number of an HTTP error status from 400 to 599, not 200'],
  ],
  [
    { do: { drop: true } },
    [
      'do.drop: does nothing for requests; it applies to when.event "frame.in", when.event "frame.out", when.event "heartbeat"',
    ],
  ],
  [
    { when: { event: 'open' }, do: { truncate: 3 } },
    [
      'do.truncate: does nothing for "open"; it applies to requests, when.event "frame.in", when.event "frame.out"',
    ],
  ],
  [
    { when: { event: 'open' }, do: { close: 1004 } },
    ['do.close: must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999, not 1004'],
  ],
  [
    { when: { family: 'rest', event: 'upgrade' }, do: { delay: 1 } },
    ['when.family: sockets belong to realtime; leave it out'],
  ],
  [
    { when: { topic: 'bridge' }, do: { delay: 1 } },
    ['when.topic: applies to frames; add event "frame.in" or "frame.out"'],
  ],
  [
    { when: { nth: 1, from: 2 }, do: { delay: 1 } },
    ['when.nth: already selects matches; leave out from, to and every'],
  ],
  [{ when: { from: 3, to: 2 }, do: { delay: 1 } }, ['when.to: is less than from (3); use 3 or more']],
  [
    { when: { familly: 'rest' }, do: { delay: 1 } },
    [expect.stringMatching(/^when\.familly: is unknown; known keys are family, method, path/)],
  ],
  [
    { when: { path: '/(a/' }, do: { delay: 1 } },
    [expect.stringMatching(/^when\.path: is not a regular expression: /)],
  ],
  [
    { when: { path: '/(?<=a)b/' }, do: { delay: 1 } },
    [expect.stringMatching(/Lookaround and backreferences/)],
  ],
  [
    { when: { family: 'rest' }, do: { clock: 5 } },
    ['do.clock: moves the clock for all callers while the fault exists; leave out when and times'],
  ],
  [{ do: { status: 503, lost: 'request' } }, ['do.lost: sends no response; use either this or the status']],
  [{ id: 'a b', do: { delay: 1 } }, ['id: must be letters, digits, "_", "-" and "." only, not "a b"']],
])('%j', (fault, problems) => {
  expect(ofFault(fault)).toEqual(problems)
})

test.each([
  ['over_request_rate_limit', 'auth', 429],
  ['PGRST303', 'rest', 401],
  ['NoSuchKey', 'storage', 404],
  ['BOOT_ERROR', 'functions', 503],
  ['over_request_rate_limit', 'rest', 429],
  ['__proto__', 'auth', undefined],
  ['toString', undefined, undefined],
] as const)('the code %s of %s has the status %s', (code, family, status) => {
  expect(knownCode(code, family)?.status).toBe(status)
})

test('each code that auth responds with is known', () => {
  const folder = new URL('../../../backend/auth/', import.meta.url)
  const codes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(new URL(name, folder), 'utf8'))
    .flatMap(text => [...text.matchAll(/AuthError\(\s*\d{3},\s*'(\w+)'/g)].map(([, code = '']) => code))
  expect(codes).toContain('webauthn_challenge_expired')
  expect(codes.filter(code => !knownCode(code, 'auth'))).toEqual([])
})

describe('patterns', () => {
  test.each([
    ['/rest/v1/*', '/rest/v1/vessels', true],
    ['/rest/v1/*', '/rest/v1/rpc/tide', false],
    ['/rest/v1/**', '/rest/v1/rpc/tide', true],
    ['/rest/v1/', '/rest/v1/', true],
    ['/rest/v1/', '/rest/v1/vessels', false],
    ['/vess?ls', '/vessels', true],
    ['/a.b', '/axb', false],
    ['/vessels$/', '/rest/v1/vessels', true],
    ['/VESSELS/i', '/rest/v1/vessels', true],
    ['/VESSELS/', '/rest/v1/vessels', false],
  ])('%s on %s: %s', (pattern, path, fits) => {
    expect(createMatcher(pattern)(path)).toBe(fits)
  })

  test('take linear time even for malicious input', () => {
    const since = performance.now()
    const long = `/${'a'.repeat(20_000)}!`
    expect([createMatcher('/^/(a+)+$/')(long), createMatcher('**a**a**a**a**b')(long)]).toEqual([
      false,
      false,
    ])
    expect(performance.now() - since).toBeLessThan(10_000)
  })
})

describe('a plan in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'))
  afterAll(() => rm(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  test('is read', () => {
    expect(readPlanFile(file('good.json', '{ "faults": [{ "do": { "delay": 1 } }] }')).faults).toEqual([
      { do: { delay: 1 } },
    ])
  })

  test.each([
    ['none.json', undefined, /none\.json: does not exist; pass the path of a fault plan$/],
    ['broken.json', '{', /broken\.json: is not JSON: /],
    [
      'wrong.json',
      '{ "faults": [{ "do": { "delay": -1 } }] }',
      /wrong\.json: faults\.0\.do\.delay: must be a whole number/,
    ],
  ])('%s is reported with its mistake, and the command exits with 2', async (name, text, message) => {
    const path = text === undefined ? join(folder, name) : file(name, text)
    expect(() => readPlanFile(path)).toThrow(message)
    const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await backendCommand(['--faults', path])).toBe(2)
    const output = String(print.mock.calls[0]?.[0]).split('\n\n')[0]
    print.mockRestore()
    expect(output).toMatch(message)
    expect(output).toMatch(/^--faults can't be used\.\n/)
  })
})
