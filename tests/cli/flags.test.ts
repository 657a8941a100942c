// Command arguments: parsing and error messages; progress; JUnit reports.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { validateXML } from 'xmllint-wasm'
import { describe, expect, test } from 'vitest'
import { defineCommand, nearestName, readArguments, UsageError } from '../../src/cli/command.ts'
import { junit } from '../../src/cli/junit.ts'
import { startProgress } from '../../src/cli/print.ts'
import { anyText } from '../harness/any-text.ts'
import { ran } from '../harness/command.ts'

const FLAGS = {
  json: { type: 'boolean', about: 'As JSON' },
  out: { type: 'string', value: 'FILE', about: 'Where to' },
  key: { type: 'string', value: 'NAME', about: 'Which', isRepeatable: true },
  to: { type: 'string', about: 'What', oneOf: ['har', 'scxml'] },
} as const

test('returns the given values by name', () => {
  expect(
    readArguments(['a', '--json', '--key', 'x', '--to=har', '-', '--key=y', '--', '--b'], FLAGS),
  ).toEqual({
    values: { json: true, out: undefined, key: ['x', 'y'], to: 'har' },
    names: ['a', '-', '--b'],
    wantsHelp: false,
  })
})

test.each([
  [['--jsn'], 'Unknown flag "--jsn". Did you mean "--json"?'],
  [['--harbour'], 'Unknown flag "--harbour".'],
  [['-x'], 'Unknown flag "-x".'],
  [['--json=yes'], '--json takes no value.'],
  [['--out'], '--out needs a value: --out FILE.'],
  [['--out', '--json'], '--out needs a value: --out FILE.'],
  [['--out', 'a', '--out', 'b'], '--out can only be given once.'],
  [['--to', 'hat'], '--to must be "har" or "scxml", not "hat". Did you mean "har"?'],
  [['--toString'], 'Unknown flag "--toString".'],
])('%j is refused in words', (args, message) => {
  expect(() => readArguments(args, FLAGS)).toThrow(new UsageError(message))
})

test('a command lists its flags; a failure exits with 2 and a reason', async () => {
  const command = defineCommand({
    usage: 'sail SHIP [flags]',
    text: 'Sails.',
    flags: FLAGS,
    takes: [1, 1, 'ship'],
    run: ({ names: [ship] }) => {
      if (ship === 'wreck') throw new Error('It has sunk.')
      return 1
    },
  })
  expect(await ran(command, 'wanderer')).toEqual({ code: 1, out: '', err: '' })
  expect(await ran(command, 'wreck')).toEqual({ code: 2, out: '', err: 'It has sunk.\n' })
  const usage = 'Usage: chartroom sail SHIP [flags]\n'
  const hint = `${usage}\`chartroom sail --help\` shows all flags.\n`
  expect((await ran(command)).err).toBe(`No ship was given.\n\n${hint}`)
  expect((await ran(command, 'a', 'b')).err).toBe(`More than one ship was given.\n\n${hint}`)
  const help = [usage, 'Sails.', '', '  --json      As JSON', '  --out FILE  Where to', '  --key NAME  Which']
  expect((await ran(command, '-h')).out).toBe(
    [...help, '  --to        What', '  --help      Show this help', ''].join('\n'),
  )
})

test('suggests a name if at most a third of its letters differ', () => {
  expect(
    ['replya', 'inof', 'reda', 'x', 'sail'].map(text => nearestName(text, ['replay', 'info', 'redact'])),
  ).toEqual(['replay', 'info', 'redact', undefined, undefined])
})

describe('progress', () => {
  const onTerminal = (isTTY: boolean) => {
    const written: string[] = []
    let now = 0
    const terminal = { isTTY, columns: 40, write: (text: string) => Boolean(written.push(text)) }
    const progress = startProgress('Replaying a-file-with-a-long-name.gz', 'steps', terminal, () => now)
    for (; now <= 2_000; now += 50) progress.at(now * 10, 20_000)
    progress.end()
    return written
  }

  test('is drawn at most ten times a second, on one line, after a delay, and then removed', () => {
    const written = onTerminal(true)
    expect(written).toHaveLength(18)
    expect(written[0]).toBe('\r\u001b[2KReplaying a-file-with-a-long-name.gz: 4')
    expect(written.at(-1)).toBe('\r\u001b[2K')
  })

  test('prints nothing without a terminal', () => {
    expect(onTerminal(false)).toEqual([])
  })
})

test('JUnit reports have the common format for every outcome', async () => {
  const text = anyText({ maxLength: 12 })
  const kind = fc.constantFrom('failure' as const, 'error' as const)
  const wrong = fc.record({ kind, message: text, details: text })
  const one = fc.record({ name: text, wrong }, { requiredKeys: ['name'] })
  const suite = fc.record({
    name: text,
    seconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
    cases: fc.array(one),
  })
  const reports = fc.sample(fc.array(suite), { numRuns: 30, seed: 7 }).map(suites => junit('check', suites))
  const contents = readFileSync(join(import.meta.dirname, '../harness/schemas/junit.xsd'), 'utf8')
  const schema = { fileName: 'junit.xsd', contents }
  const xml = reports.map((report, n) => ({ fileName: `${n}.xml`, contents: report }))
  expect((await validateXML({ xml, schema })).errors).toEqual([])
  const broken = { fileName: 'broken.xml', contents: '<testsuites name="x"/>' }
  expect((await validateXML({ xml: [broken], schema })).valid).toBe(false)
})

test('a JUnit report counts its results', () => {
  const wrong = { kind: 'failure', message: 'It "broke" <off>', details: 'at step 3\n& then' } as const
  expect(
    junit('replay', [{ name: 'a.gz', seconds: 0.5, cases: [{ name: 'a' }, { name: 'b', problem: wrong }] }]),
  ).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="replay" tests="2" failures="1" errors="0" time="0.500">',
      '  <testsuite name="a.gz" tests="2" failures="1" errors="0" skipped="0" time="0.500">',
      '    <testcase name="a" classname="chartroom.replay" time="0.250"/>',
      '    <testcase name="b" classname="chartroom.replay" time="0.250">',
      '      <failure message="It &quot;broke&quot; &lt;off&gt;" type="replay">at step 3',
      '&amp; then</failure>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  )
})
