// Lists every regular expression of the client and the backend, and whether hostile input makes it slow.
import { globSync } from 'node:fs'
import { BUILT } from './regexes/built.ts'
import { collectRegexes } from './regexes/collect.ts'
import { slowest } from './regexes/measure.ts'

const root = new URL('..', import.meta.url).pathname
const files = globSync(['src/**/*.{ts,tsx}', 'backend/**/*.ts'], { cwd: root }).sort()
let slow = 0
for (const { file, line, source, flags, splits } of collectRegexes(root, files)) {
  const where = `${file}:${line}`
  if (source === undefined) {
    console.log(
      `${where} built: ${BUILT[file]?.map(({ why }) => why).join('; ') ?? 'NOT LISTED in scripts/regexes/built.ts'}`,
    )
    continue
  }
  const found = slowest(source, flags, splits)
  if (found) slow += 1
  const verdict = found
    ? `SLOW (×${found.growth.toFixed(0)} for ×4) on ${JSON.stringify(found.attack)}`
    : 'linear'
  console.log(`${where} /${source}/${flags} ${verdict}`)
}
if (slow > 0) console.error(`${slow} regular expressions are slower than linear.`)
process.exitCode = slow > 0 ? 1 : 0
