// `npm run build`: the app as files for any static host, in dist or where `--out` says.
import { parseArgs } from 'node:util'
import { relative, resolve } from 'node:path'
import { appDir, forgetBuild } from './app-build.ts'
import { BUDGET, initialSize, SIGN_IN_BUDGET, signInSize, type InitialSize } from './deploy/initial-size.ts'
import { root, runTool } from './tool.ts'
import { runScript } from './run-script.ts'

const USAGE = `Usage: npm run build [-- --base PATH] [--out DIR]

  --base PATH   Where on its host the app will be, as /chartroom/ (default /)
  --out DIR     Where the files go (default dist)

docs/guide/deploy.md says what a host needs.`

await runScript(USAGE, read, main)

async function main(flags: Exclude<ReturnType<typeof read>, string>): Promise<number> {
  const out = resolve(root, flags.out)
  // `npm start` serves that folder as well, and from no other address than /.
  if (out === appDir) await forgetBuild()
  const { code, output } = await runTool(
    'vite',
    ['build', '--base', flags.base, '--outDir', out, '--emptyOutDir'],
    {
      env: { NODE_ENV: 'production' },
    },
  )
  if (code !== 0) {
    console.error(`The app could not be built:\n${output.trimEnd()}`)
    return 1
  }
  const [first, signIn] = [await initialSize(out), await signInSize(out)]
  console.log(`Built into ${relative(process.cwd(), out) || '.'}, for ${flags.base}`)
  console.log(`  JavaScript from the start: ${told(first, BUDGET)}`)
  console.log(`  until one can sign in: ${told(signIn, SIGN_IN_BUDGET)}`)
  return first.bytes > BUDGET || signIn.bytes > SIGN_IN_BUDGET ? 1 : 0
}

/** A declaration, as the next, since `main` runs above it. */
function told({ bytes, files }: InitialSize, budget: number): string {
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
  if (!/^\/([\w.~-]+\/)*$/.test(values.base)) return `--base must begin and end with a slash: ${values.base}`
  return values
}
