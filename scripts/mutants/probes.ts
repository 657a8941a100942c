// Probes: code at the place of a mutant that reports which test file executes it, in Node and in a browser.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MagicString } from 'magic-string'
import type { Mutant } from './draw.ts'

const MARK = 'chartroom-mutant '

/** Appends the number and the test file to the log; in a page, the console's listener does. */
const report = (n: number) =>
  '(globalThis.process?.env?.CHARTROOM_HITS' +
  ` ? ((globalThis.chartroomHits ??= new Set()), globalThis.chartroomHits.has(${n} + process.env.CHARTROOM_TEST)` +
  ` || (globalThis.chartroomHits.add(${n} + process.env.CHARTROOM_TEST),` +
  ` process.getBuiltinModule("node:fs").appendFileSync(process.env.CHARTROOM_HITS, "${n} " + process.env.CHARTROOM_TEST + "\\n")))` +
  ` : ((globalThis.chartroomHits ??= new Set()), globalThis.chartroomHits.has(${n})` +
  ` || (globalThis.chartroomHits.add(${n}), globalThis.console.debug("${MARK}${n}"))))`

export function probe(source: MagicString, { kind, start, end, isFirst }: Mutant, n: number): void {
  if (kind === 'line') source.appendLeft(start, `0, ${report(n)}, `)
  else {
    source.appendLeft(start, `${isFirst ? '0, ' : ''}(${report(n)}, (`)
    source.prependRight(end, '))')
  }
}

/** Makes the tests of a tree name their file to the probes, and listen to those of pages. */
export async function watchProbes(tree: string): Promise<void> {
  await edit(join(tree, 'tests/harness/each-file.ts'), text =>
    text
      .replace(
        /^(?=afterEach)/m,
        `const testFile = expectOfProbes.getState().testPath\nprocess.env['CHARTROOM_TEST'] = testFile\n`,
      )
      .replace(/^(?=import )/m, `import { expect as expectOfProbes } from 'vitest'\n`),
  )
  await edit(join(tree, 'tests/harness/page-watch.ts'), text =>
    text.replace(/^(?=import )/m, `import { appendFileSync as appendHit } from 'node:fs'\n`).replace(
      /^(?= *page\.on\('crash')/m,
      `  page.on('console', message => {
    const n = message.text().startsWith('${MARK}') ? message.text().slice(${MARK.length}) : undefined
    if (n !== undefined && process.env['CHARTROOM_HITS'])
      appendHit(process.env['CHARTROOM_HITS'], n + ' ' + process.env['CHARTROOM_TEST'] + '\\n')
  })\n`,
    ),
  )
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(path, 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`${path} has no place for probes.`)
  await writeFile(path, after)
}
