// Checks the language of comments, strings and Markdown: idioms that readers have to translate are errors.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countWords, findPhrases } from './prose/find.ts'
import { root } from './tool.ts'

/** How many of the phrases each file may keep: quotations, wire texts and words that are meant literally. */
const EXCEPTIONS = 'scripts/prose/exceptions.json'

const allowed = JSON.parse(readFileSync(join(root, EXCEPTIONS), 'utf8')) as Readonly<Record<string, number>>
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')

const problems: string[] = []
const counts: Record<string, number> = {}
let [words, phrases] = [0, 0]
for (const file of files) {
  const text = read(file)
  if (text === undefined) continue
  const found = findPhrases(file, text)
  words += countWords(file, text)
  phrases += found.length
  if (found.length > 0) counts[file] = found.length
  const most = allowed[file] ?? 0
  if (found.length > most) for (const { line, phrase } of found) problems.push(`${file}:${line}: "${phrase}"`)
  else if (found.length < most)
    problems.push(`${EXCEPTIONS}: ${file} has ${found.length}, not ${most}: lower its number.`)
}
for (const file of Object.keys(allowed))
  if (read(file) === undefined) problems.push(`${EXCEPTIONS}: ${file} does not exist: remove it.`)

if (process.argv.includes('--write')) console.log(JSON.stringify(counts, undefined, 2))
else {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) console.error('Write it in plain technical English: CONTRIBUTING.md, "Language".')
  console.log(`${((phrases / words) * 1_000).toFixed(2)} phrases to avoid per 1,000 words`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

function read(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}
