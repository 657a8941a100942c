// Traces with texts that would control the terminal: commands neutralize them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assign, setup } from 'xstate'
import { afterAll, expect, test, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { coverageCommand } from '../../src/cli/coverage.ts'
import { diffCommand } from '../../src/cli/diff.ts'
import { exportCommand } from '../../src/cli/export.ts'
import { explainCommand } from '../../src/cli/explain.ts'
import { infoCommand } from '../../src/cli/info.ts'
import { minimizeCommand } from '../../src/cli/minimize.ts'
import { printable } from '../../src/cli/print.ts'
import { redactCommand } from '../../src/cli/redact.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { testCommand } from '../../src/cli/test.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HOSTILE = '\u001b]0;pwned\u0007\u001b[2J\u001b[32m\nEXACT everything\r\u009b2K\u202e\u2066x'

function hostileTrace(name: string, note: string): string {
  const machine = setup({ types: { context: {} as { note: unknown } } }).createMachine({
    id: `m${HOSTILE}`,
    context: { note: '' },
    on: { '*': { actions: assign({ note: ({ event }) => event }) } },
  })
  const recording = record(machine, { system: `till${HOSTILE}` })
  recording.start()
  recording.actor.send({ type: `say${HOSTILE}`, note: note + HOSTILE } as never)
  recording.bookmark(`look${HOSTILE}`)
  recording.stop()
  const file = join(folder, name)
  writeFileSync(file, `${recording.lines().join('\n')}\n`)
  return file
}

const [one, other] = [hostileTrace('one.jsonl', 'a'), hostileTrace('other.jsonl', 'b')]

const damaged = join(folder, 'damaged.jsonl')
writeFileSync(
  damaged,
  `{"line":"header","system":"\\u001b[2J\\nEXACT","format":9}\n\u001b]0;x\u0007not json\n`,
)

test.each([
  ['info', infoCommand, [one, damaged]],
  ['explain', explainCommand, [one, damaged]],
  ['replay', replayCommand, [one, damaged]],
  ['check', checkCommand, [one, damaged]],
  ['coverage', coverageCommand, [one, damaged]],
  ['diff', diffCommand, [one, other]],
  ['minimize', minimizeCommand, [one]],
  ['test', testCommand, [one, '--out', join(folder, 'made.test.ts')]],
  ['redact', redactCommand, [one, '--key', 'note', '--out', join(folder, 'clean.jsonl')]],
  ['export', exportCommand, [one, '--to', 'mermaid', '--out', join(folder, 'made.mmd')]],
  ['export without a file', exportCommand, [join(folder, `none${HOSTILE}`), '--to', 'har']],
  ['info of no file', infoCommand, [join(folder, `none${HOSTILE}`)]],
])('%s prints no control characters and no extra lines from a trace', async (_, command, args) => {
  const { out, err } = await ran(command, ...args)
  const printed = out + err
  expect(printed).not.toBe('')
  // Line breaks and outcome colors come from the command.
  const rest = printed.split('\u001b').flatMap((part, at) => {
    const isColor = at === 0 || /^\[3\dm/.test(part)
    return [isColor ? '' : 'ESC', part.replaceAll('\n', '')]
  })
  expect(rest.join('')).not.toMatch(/ESC|(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(printed.split('\n').filter(line => line.startsWith('EXACT everything'))).toEqual([])
})

test('output is escaped on a terminal and unchanged in a pipe', async () => {
  const { printData } = await import('../../src/cli/print.ts')
  const written: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(text => written.push(String(text)) > 0)
  const { isTTY } = process.stdout
  process.stdout.isTTY = true
  printData(HOSTILE)
  process.stdout.isTTY = false
  printData(HOSTILE)
  process.stdout.isTTY = isTTY
  spy.mockRestore()
  expect(written).toEqual([printable(HOSTILE), HOSTILE])
})
