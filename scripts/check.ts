// Runs every static check in parallel: types, lint, format, unused code, prose, the API page, and the paths of
// the architecture page. The folder evidence is only checked with its packages: `evidence` by name installs them.
import { ensureGenerated } from './generated.ts'
import { ensureEvidence, hasEvidence } from './evidence-packages.ts'
import { runTool } from './tool.ts'

const checks = {
  types: ['tsc', '-p', '.'],
  evidence: ['tsc', '-p', 'evidence'],
  lint: ['oxlint'],
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  unused: ['knip', '--no-progress'],
  prose: ['node', 'scripts/prose.ts'],
  api: ['node', 'scripts/api-docs.ts'],
  paths: ['node', 'scripts/architecture.ts'],
} as const

const isCheck = (name: string): name is keyof typeof checks => Object.hasOwn(checks, name)

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !isCheck(name))
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Checks: ${Object.keys(checks).join(', ')}.`)
  process.exit(2)
}

await ensureGenerated()
if (wanted.includes('evidence')) await ensureEvidence()
const all = Object.keys(checks).filter(isCheck)
const isInstalled = await hasEvidence()
if (wanted.length === 0 && !isInstalled)
  console.log('– evidence: not checked, its packages are not installed (npm run check -- evidence)')
const names =
  wanted.length > 0 ? wanted.filter(isCheck) : all.filter(name => isInstalled || name !== 'evidence')
const results = await Promise.all(names.map(run))
const failed = names.filter((_, index) => !results[index])
console.log(failed.length > 0 ? `check failed: ${failed.join(', ')}` : 'check passed')
process.exitCode = failed.length > 0 ? 1 : 0

async function run(name: keyof typeof checks): Promise<boolean> {
  const started = performance.now()
  const [tool, ...args] = checks[name]
  const { code, output } = await runTool(tool, args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (code === 0) console.log(`✓ ${name} (${seconds} s)`)
  else console.log(`✗ ${name} (${seconds} s): ${tool} exited with code ${code}\n${output.trimEnd()}\n`)
  return code === 0
}
