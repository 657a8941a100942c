// The parts of the guide that are made from the sources: the diff of the example app, and the tables of statuses.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { statusTable } from './guide-status.ts'
import { root } from './tool.ts'

/** Pages with parts that are made, by the names of these parts. */
export const PAGES = ['docs/guide/from-supabase-js.md', 'docs/guide/status.md'] as const

const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  logbook: logbookDiff,
  session: () => statusTable('session'),
  connection: () => statusTable('connection'),
  channel: () => statusTable('channel'),
}

/** The page with its parts as they are to be. @throws when it names a part that there is not */
export async function makePage(page: string): Promise<string> {
  const path = join(root, page)
  const text = await readFile(path, 'utf8')
  const pieces = text.split(/(<!-- made: \w+ -->\n)[\s\S]*?(<!-- end -->)/)
  const made = pieces.map(async piece => {
    const name = /^<!-- made: (\w+) -->\n$/.exec(piece)?.[1]
    if (name === undefined) return piece
    const part = PARTS[name]
    if (!part) throw new Error(`${page} asks for "${name}", which nobody makes.`)
    return `${piece}\n${await part()}\n\n`
  })
  return format((await Promise.all(made)).join(''), { ...(await resolveConfig(path)), parser: 'markdown' })
}

/** What changed in the example app, without the names of the files. */
function logbookDiff(): Promise<string> {
  const args = ['diff', '--no-index', '--no-color', '--unified=100', 'before.ts', 'after.ts']
  return new Promise((resolve, reject) => {
    execFile('git', args, { cwd: join(root, 'examples/logbook') }, (error, stdout) => {
      // 1 says that there are differences.
      if (error && error.code !== 1) return reject(new Error('git could not compare', { cause: error }))
      const lines = stdout.trimEnd().split('\n')
      const from = lines.findIndex(line => line.startsWith('@@'))
      resolve(['```diff', ...lines.slice(from + 1), '```'].join('\n'))
    })
  })
}
