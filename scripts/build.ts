// `npm run build`: builds the app as static files into dist, or the folder given by `--out`.
import { parseArgs } from 'node:util'
import { relative, resolve } from 'node:path'
import { appDir, forgetBuild } from './app-build.ts'
import { BUDGET, initialSize, SIGN_IN_BUDGET, signInSize, type InitialSize } from './deploy/initial-size.ts'
import { root, runTool } from './tool.ts'
import { ensureGenerated } from './generated.ts'
import { runScript } from './run-script.ts'

const USAGE = `Usage: npm run build [-- --base PATH] [--out DIR]

  --base PATH   Path of the app on its host, e.g. /chartroom/ (default /)
  --out DIR     Output folder (default dist)

See docs/guide/deploy.md for what the host must support.`

await runScript(USAGE, read, main)

async function main(flags: Exclude<ReturnType<typeof read>, string>): Promise<number> {
  const out = resolve(root, flags.out)
  // `npm start` serves the same folder, but only from /.
  if (out === appDir) await forgetBuild()
  await ensureGenerated()
  const { code, output } = await runTool(
    'vite',
    ['build', '--base', flags.base, '--outDir', out, '--emptyOutDir'],
    {
      env: { NODE_ENV: 'production' },
    },
  )
  if (code !== 0) {
    console.error(`Failed to build the app:\n${output.trimEnd()}`)
    return 1
  }
  const [first, signIn] = [await initialSize(out), await signInSize(out)]
  console.log(`Built to ${relative(process.cwd(), out) || '.'} with base path ${flags.base}`)
  console.log(`  Initial JavaScript: ${describeSize(first, BUDGET)}`)
  console.log(`  Until sign-in is usable: ${describeSize(signIn, SIGN_IN_BUDGET)}`)
  return first.bytes > BUDGET || signIn.bytes > SIGN_IN_BUDGET ? 1 : 0
}

/** Function declarations, because `main` runs above them. */
function describeSize({ bytes, files }: InitialSize, budget: number): string {
  return `${kB(bytes)} gzip in ${files.length} files (at most ${kB(budget)})`
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function read() {
  const { values } = parseArgs({
    options: {
      base: { type: 'string', default: '/' },
      out: { type: 'string', default: 'dist' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (!/^\/([\w.~-]+\/)*$/.test(values.base)) return `--base must start and end with a slash: ${values.base}`
  return values
}
