// Generated parts of the guide: the diff of the example app, the options, and the tables of statuses.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { optionList } from './guide-options.ts'
import { statusTable } from './guide-status.ts'
import { root } from './tool.ts'

/** Pages with generated parts. */
export const PAGES = [
  'docs/guide/from-supabase-js.md',
  'docs/evidence/logbook.md',
  'docs/status-by-state.md',
] as const

const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  logbook: logbookDiff,
  options: optionList,
  session: () => statusTable('session'),
  connection: () => statusTable('connection'),
  channel: () => statusTable('channel'),
}

/** Returns the page with its generated parts up to date. @throws Error if the page names an unknown part */
export async function makePage(page: string): Promise<string> {
  const path = join(root, page)
  const text = await readFile(path, 'utf8')
  const pieces = text.split(/(<!-- made: \w+ -->\n)[\s\S]*?(<!-- end -->)/)
  const made = pieces.map(async piece => {
    const name = /^<!-- made: (\w+) -->\n$/.exec(piece)?.[1]
    if (name === undefined) return piece
    const part = PARTS[name]
    if (!part) throw new Error(`${page} asks for "${name}", but no such part exists.`)
    return `${piece}\n${await part()}\n\n`
  })
  return format((await Promise.all(made)).join(''), { ...(await resolveConfig(path)), parser: 'markdown' })
}

/** The diff of the example app, without file names. */
function logbookDiff(): Promise<string> {
  const args = ['diff', '--no-index', '--no-color', '--unified=100', 'before.ts', 'after.ts']
  return new Promise((resolve, reject) => {
    execFile('git', args, { cwd: join(root, 'examples/logbook') }, (error, stdout) => {
      // Exit code 1 means that there are differences.
      if (error && error.code !== 1) return reject(new Error('git could not compare', { cause: error }))
      const lines = stdout.trimEnd().split('\n')
      const from = lines.findIndex(line => line.startsWith('@@'))
      resolve(['```diff', ...lines.slice(from + 1), '```'].join('\n'))
    })
  })
}
