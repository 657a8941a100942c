// `npm test`: runs every behavior once, and prints a summary line.
import { runTests } from './test-run.ts'

const { tally } = await runTests(process.argv.slice(2))
console.log(tally.summary())
process.exitCode = tally.passed > 0 && tally.failed === 0 && !process.exitCode ? 0 : 1
