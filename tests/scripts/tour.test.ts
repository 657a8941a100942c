// The commands of the tour guide, from the bug and its fix to the saved test.
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { runCommand, TRACE_COMMANDS } from '../../src/cli/program.ts'
import { root } from '../../scripts/tool.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'
import { ran } from '../harness/command.ts'

const EXAMPLE = 'examples/tour'

/** Files created by following the tour. */
const MADE = /(least|mended)\.trace\.gz$|\.test\.ts$/

/** A copy of the example; if `mend` is given, with the guide's fix. */
async function copy(folder: string, mend: (source: string) => string = source => source): Promise<string> {
  await cp(join(root, EXAMPLE), folder, { recursive: true, filter: from => !MADE.test(from) })
  const file = join(folder, 'session.ts')
  await writeFile(file, mend(await readFile(file, 'utf8')))
  return folder
}

/** The guide's code blocks in a language, in order. */
const blocks = (guide: string, language: string) =>
  [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , text = '']) => text)

/** Matches the part of an output that a block shows; the end may be omitted. */
const shown = (block: string) => expect.stringContaining(block.split(/^ *…$/m)[0] ?? '')

/** Runs a command of the guide on a copy of the example. */
function run(line: string, folder: string) {
  const [, args = ''] = /^npm run -s chartroom -- (.*)$/.exec(line) ?? []
  const words = [...args.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) =>
    (quoted ?? word).replace(EXAMPLE, folder),
  )
  return ran(args => runCommand(TRACE_COMMANDS, args), ...words)
}

test('minimizes the recording, fixes the machine, and gets a test that fails before and passes after', async () => {
  const guide = await readFile(join(root, 'docs/guide/tour.md'), 'utf8')
  const [wrong = '', right = ''] = blocks(guide, 'ts')
  const folder = await folderForTests('tour')
  onTestFinished(() => rm(folder, { recursive: true }))
  const broken = await copy(join(folder, 'broken'))
  const mended = await copy(join(folder, 'mended'), source => {
    expect(source.split(wrong.trim())).toHaveLength(2)
    return source.replace(wrong.trim(), right.trim())
  })
  const [, vitest = '', minimize = '', verify = '', keep = ''] = blocks(guide, 'sh').map(block =>
    block.trim(),
  )
  const [told = '', driven = ''] = blocks(guide, '')

  const small = await run(minimize, broken)
  expect([small.code, small.out.replaceAll(broken, EXAMPLE)]).toEqual([0, shown(told)])
  await cp(join(broken, 'least.trace.gz'), join(mended, 'least.trace.gz'))

  expect(await run(verify, broken)).toMatchObject({ code: 0, out: expect.stringMatching(/^SAME /) })
  const report = await run(verify, mended)
  // Source lines are relative to the project.
  const out = report.out.replaceAll(mended, EXAMPLE).replaceAll(relative(root, mended), EXAMPLE)
  expect([report.code, out]).toEqual([1, shown(driven)])
  expect(report.out).toContain('\n    watch/logbook was closed, is open.sending\n')

  const [drive = '', make = ''] = keep.split('\n')
  expect(vitest).toBe(`npx vitest run --root ${EXAMPLE}`)
  expect(await run(drive, mended)).toMatchObject({ code: 1, err: '' })
  expect(await run(make, mended)).toMatchObject({ code: 0, err: '' })
  const kept = await readFile(join(mended, 'squall.test.ts'), 'utf8')
  expect(kept).toContain((blocks(guide, 'ts')[2] ?? '').split('…\n')[1])

  await writeFile(join(broken, 'squall.test.ts'), kept)
  const { output } = await runVitest(folder)
  expect(output).toMatch(/✓ mended\/squall\.test\.ts \(1 test\)/)
  expect(output).toMatch(/Tests +1 failed \| 1 passed \(2\)/)
  const [, red = ''] = /it is red: `(.*)`/.exec(guide) ?? []
  expect(output).toContain(red)
})
