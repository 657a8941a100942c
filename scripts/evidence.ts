// Runs a program of the folder evidence with its packages, which are installed first if they are missing:
// `scripts/evidence.ts bench --json` runs evidence/bench.ts.
import { ensureEvidence } from './evidence-packages.ts'

const [program = ''] = process.argv.splice(2, 1)
try {
  await ensureEvidence()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
await import(`../evidence/${program}.ts`)
