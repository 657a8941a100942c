// `scripts/evidence.ts lint-package DIR ENTRY...`: prints one line for each problem of a built package.
import { problemsOf } from './package-lint.ts'

const [dir = '', ...entries] = process.argv.slice(2)
const problems = await problemsOf(dir, entries)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
