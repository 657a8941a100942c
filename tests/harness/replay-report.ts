// The page of `chartroom replay --html` about three failures, two of them equal, and many replays without one.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/tool.ts'
import type { FileResult } from '../../src/cli/file-report.ts'
import { htmlReport } from '../../src/cli/html-report.ts'

const failed = (name: string, problem: string): FileResult => ({
  file: `reports/2026-11-26/${name}.gz`,
  seconds: 0.25,
  code: 1,
  outcome: 'diverged',
  lines: [
    '7 inputs, 21 recorded steps; 15 steps identical',
    `first difference: ${'long '.repeat(60)}${'x'.repeat(300)}`,
  ],
  message: problem,
  problem,
})

const results: readonly FileResult[] = [
  failed('a', 'client/requests/request.n took send.answered: /value differs'),
  { ...failed('b', 'cannot be read: no such file'), code: 2, outcome: 'unusable' },
  failed('c', 'client/requests/request.n took send.answered: /value differs'),
  ...Array.from({ length: 30 }, (_, n): FileResult => ({
    ...failed(`ok-${n}`, ''),
    code: 0,
    outcome: 'exact',
  })),
]

/** Writes the page, and returns its address. */
export async function replayReport(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/chartroom')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'replay-report.html')
  const written = `${file}.${process.pid}`
  await writeFile(written, [...htmlReport('replay', results)].join(''))
  await rename(written, file)
  return pathToFileURL(file).href
}
